// Code of hooks, wherever it stands: where it comes from, what it is given, and whether its module has changed.

import { type Definition, describeUse, listHooks, modulePath, type PlacedHook } from "@stoa/definition";
import type { Finding } from "./change.js";
import * as say from "./endpoint-messages.js";
import { hookMeaning, type View } from "./meaning.js";

/** The text of a module, by its path from the project's folder; undefined where nobody has it. */
export type ReadModule = (path: string) => string | undefined;

export interface CodeSide {
  readonly view: View;
  readonly readModule: ReadModule;
}

export interface PlacedFinding {
  readonly where: string;
  readonly finding: Finding;
}

/** Of hooks that both have; those that come and go are seen by what shows or runs them. */
export function compareCode(before: CodeSide, after: CodeSide): PlacedFinding[] {
  const old = new Map(hooksOf(before.view.definition));
  return hooksOf(after.view.definition).flatMap(([name, placed]): PlacedFinding[] => {
    const source = old.get(name);
    if (source === undefined) return [];
    const isSame = hookMeaning(before.view, source.hook) === hookMeaning(after.view, placed.hook);
    const finding = isSame ? compareModules([before, source], [after, placed]) : changedHook(source, placed);
    return finding === null ? [] : [{ where: `code of ${name}`, finding }];
  });
}

/** Populators are no part of the API. */
function hooksOf(definition: Definition): [string, PlacedHook][] {
  return listHooks(definition)
    .filter(({ use }) => use.kind !== "set" || !use.isPopulator)
    .map((placed) => [describeUse(placed.use), placed]);
}

function changedHook({ hook: before }: PlacedHook, { hook: after }: PlacedHook): Finding {
  const [old, now] = [before.code, after.code];
  if (old.kind === "inline" || now.kind === "inline") return say.hookChanged("is other code");
  if (old.function !== now.function || old.module !== now.module) {
    return say.hookChanged(
      `is \`${now.function}\` of ${now.module} instead of \`${old.function}\` of ${old.module}`,
    );
  }
  return say.hookChanged("is given other arguments");
}

function compareModules(
  [before, old]: readonly [CodeSide, PlacedHook],
  [after, now]: readonly [CodeSide, PlacedHook],
): Finding | null {
  if (old.hook.code.kind === "inline" || now.hook.code.kind === "inline") return null;
  const path = modulePath(after.view.definition, now.hook.code);
  const texts = [
    before.readModule(modulePath(before.view.definition, old.hook.code)),
    after.readModule(path),
  ];
  if (texts.includes(undefined) || texts[0] === texts[1]) return null;
  return say.hookChanged(`its module \`${path}\` has changed`);
}
