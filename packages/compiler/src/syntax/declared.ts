// Where the names of a program are declared, as far as the syntax tells.

import type { Span } from "../diagnostics/diagnostic.js";
import { isMissing, type Name, type SourceFile } from "./tree.js";

/** Declarations and members by name; undefined where a name is declared more than once. */
export function findDeclared(files: readonly SourceFile[]): ReadonlyMap<string, Span | undefined> {
  const declared = new Map<string, Span | undefined>();
  for (const name of files.flatMap(namesIn)) {
    if (!isMissing(name)) declared.set(name.text, declared.has(name.text) ? undefined : name.span);
  }
  return declared;
}

function namesIn({ declarations }: SourceFile): Name[] {
  return declarations.flatMap((node) => {
    const own = "name" in node && node.name ? [node.name] : [];
    if (node.kind !== "model") return own;
    const members = node.body.items.flatMap((item) =>
      "name" in item && item.kind !== "was" ? [item.name] : [],
    );
    return [...own, ...members];
  });
}
