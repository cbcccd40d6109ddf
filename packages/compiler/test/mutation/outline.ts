// The outline of a syntax tree: the path of everything that has a name or could be missed, with its place.

import type { Span } from "../../src/diagnostics/diagnostic.js";
import type {
  ActionNode,
  Declaration,
  EndpointNode,
  EntrypointProperty,
  ModelItem,
  Path,
  PopulateProperty,
  SourceFile,
  WriteProperty,
} from "../../src/syntax/tree.js";

export interface OutlineEntry {
  /** `["model Book", "field title"]`. */
  readonly path: readonly string[];
  readonly span: Span;
}

export function outlineOf(file: SourceFile): OutlineEntry[] {
  return file.declarations.flatMap((node) => ofDeclaration(node));
}

interface Inner {
  readonly label: string;
  readonly span: Span;
  readonly inner?: readonly OutlineEntry[];
}

function entry({ label, span, inner = [] }: Inner): OutlineEntry[] {
  return [{ path: [label], span }, ...inner.map((item) => ({ ...item, path: [label, ...item.path] }))];
}

function ofDeclaration(node: Declaration): OutlineEntry[] {
  const { span } = node;
  switch (node.kind) {
    case "model":
      return entry({ label: `model ${node.name.text}`, span, inner: node.body.items.flatMap(ofMember) });
    case "enum":
      return entry({
        label: `enum ${node.name.text}`,
        span,
        inner: node.values.flatMap((value) => entry({ label: value.name.text, span: value.span })),
      });
    case "validator":
      return entry({
        label: `validator ${node.name.text}`,
        span,
        inner: node.body.items.flatMap((item) =>
          entry({ label: item.kind === "arg" ? `arg ${item.name.text}` : item.kind, span: item.span }),
        ),
      });
    case "api":
      return entry({
        label: `api ${node.name?.text ?? ""}`,
        span,
        inner: node.body.items.flatMap(ofEntrypointProperty),
      });
    case "populator":
      return entry({
        label: `populator ${node.name.text}`,
        span,
        inner: node.body.items.flatMap(ofPopulateProperty),
      });
    case "runtime":
      return entry({ label: `runtime ${node.name.text}`, span });
    case "generator":
      return entry({ label: `generator ${node.target ?? ""}`, span });
    case "auth":
      return entry({
        label: "auth",
        span,
        inner: node.body.items.flatMap((item) => entry({ label: item.kind, span: item.span })),
      });
  }
}

function ofMember(item: ModelItem): OutlineEntry[] {
  return entry({ label: "name" in item ? `${item.kind} ${item.name.text}` : item.kind, span: item.span });
}

function ofEntrypointProperty(item: EntrypointProperty): OutlineEntry[] {
  if (item.kind === "entrypoint") {
    const label = `entrypoint ${item.resource.text}`;
    return entry({ label, span: item.span, inner: item.body.items.flatMap(ofEntrypointProperty) });
  }
  return item.kind === "endpoint" ? ofEndpoint(item) : entry({ label: item.kind, span: item.span });
}

function ofEndpoint(node: EndpointNode): OutlineEntry[] {
  const inner = node.body.items.flatMap((item): OutlineEntry[] => {
    if (item.kind === "action") return item.body.items.flatMap(ofAction);
    if (item.kind !== "extra") return entry({ label: item.kind, span: item.span });
    return item.body.items.flatMap((field) => entry({ label: `input ${field.name.text}`, span: field.span }));
  });
  return entry({ label: `${node.endpoint} endpoint`, span: node.span, inner });
}

function pathText(path: Path | undefined): string {
  return path ? ` ${path.names.map((name) => name.text).join(".")}` : "";
}

function ofAction(node: ActionNode): OutlineEntry[] {
  const { span } = node;
  if (node.kind === "create" || node.kind === "update") {
    const label = `${node.kind}${pathText(node.target)}`;
    return entry({ label, span, inner: node.body.items.flatMap(ofWriteProperty) });
  }
  return entry({ label: node.kind === "delete" ? `delete${pathText(node.target)}` : node.kind, span });
}

function ofWriteProperty(item: WriteProperty): OutlineEntry[] {
  switch (item.kind) {
    case "set":
      return entry({ label: `set ${item.member.text}`, span: item.span });
    case "reference":
      return entry({ label: `reference ${item.name.text}`, span: item.span });
    case "input":
      return item.fields.flatMap((field) => entry({ label: `input ${field.name.text}`, span: field.span }));
    case "deny":
      return item.names.flatMap((name) => entry({ label: `deny ${name.text}`, span: name.span }));
    case "input-all":
      return entry({ label: "input *", span: item.span });
  }
}

function ofPopulateProperty(item: PopulateProperty): OutlineEntry[] {
  switch (item.kind) {
    case "populate": {
      const label = `populate ${item.target.text}`;
      return entry({ label, span: item.span, inner: item.body.items.flatMap(ofPopulateProperty) });
    }
    case "set":
      return entry({ label: `set ${item.member.text}`, span: item.span });
    case "repeat":
      return entry({ label: "repeat", span: item.span });
  }
}

/**
 * What a mutation at `place` has destroyed beyond the item that it stands in: paths of `before` that `after`
 * lacks. Items inside that one count under whatever it is called now.
 */
export function destroyedBy(
  place: Pick<Span, "start" | "end">,
  before: readonly OutlineEntry[],
  after: readonly OutlineEntry[],
): string[] {
  const around = innermost(place, before);
  const left = new Map<string, number>();
  const key = (path: readonly string[]) => pathKey(path, around);
  for (const { path } of after) left.set(key(path), (left.get(key(path)) ?? 0) + 1);
  return before.flatMap(({ path }) => {
    const count = left.get(key(path)) ?? 0;
    if (count > 0) left.set(key(path), count - 1);
    return count > 0 || path === around ? [] : [path.join(" › ")];
  });
}

/** The innermost item around a place; undefined between the declarations. */
function innermost(
  { start, end }: Pick<Span, "start" | "end">,
  entries: readonly OutlineEntry[],
): readonly string[] | undefined {
  let best: OutlineEntry | undefined;
  for (const item of entries) {
    if (item.span.start > start || item.span.end < end) continue;
    if (!best || item.path.length > best.path.length) best = item;
  }
  return best?.path;
}

/** In paths through the siblings of the changed item, its own name is left out. */
function pathKey(path: readonly string[], around: readonly string[] | undefined): string {
  const depth = around?.length ?? 0;
  const isBelow =
    around && path.length > depth && around.slice(0, -1).every((label, at) => label === path[at]);
  if (!isBelow) return path.join(" › ");
  return [...path.slice(0, depth - 1), "…", ...path.slice(depth)].join(" › ");
}
