// The statements that we write ourselves, cut into tokens and nested by their parentheses. Not a reader of SQL in
// general: no comments, no dollar quotes.

export interface Token {
  readonly kind: "token";
  readonly text: string;
  /** Whether white space stands before it. */
  readonly isSpaced: boolean;
}

export interface Group {
  readonly kind: "group";
  readonly nodes: readonly SqlNode[];
  readonly isSpaced: boolean;
}

export type SqlNode = Token | Group;

const TOKEN = /(\s*)('(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|[\w.]+|::|->>?|[<>=!|]+|[^\s])/g;

export function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(TOKEN)].map(([, space = "", text = ""]) => ({
    kind: "token",
    text,
    isSpaced: space !== "",
  }));
}

export function parseGroups(sql: string): readonly SqlNode[] {
  const open: { nodes: SqlNode[]; isSpaced: boolean }[] = [{ nodes: [], isSpaced: false }];
  for (const token of tokensOf(sql)) {
    if (token.text === "(") {
      open.push({ nodes: [], isSpaced: token.isSpaced });
      continue;
    }
    const group = token.text === ")" && open.length > 1 ? open.pop() : undefined;
    open.at(-1)?.nodes.push(group === undefined ? token : { kind: "group", ...group });
  }
  // A statement of ours closes what it opens; of any other, nothing is lost.
  return open.flatMap(({ nodes }) => nodes);
}

/** On one line, as it was written. */
export function flatten(nodes: readonly SqlNode[]): string {
  return nodes.map((node, index) => `${node.isSpaced && index > 0 ? " " : ""}${flattenNode(node)}`).join("");
}

function flattenNode(node: SqlNode): string {
  return node.kind === "token" ? node.text : `(${flatten(node.nodes)})`;
}

export function isWord(node: SqlNode | undefined, ...words: readonly string[]): boolean {
  return node?.kind === "token" && words.includes(node.text);
}

/** Whether it is a query in parentheses. */
export function isQuery(node: SqlNode | undefined): node is Group {
  if (node?.kind !== "group") return false;
  const [first, second] = node.nodes;
  return isWord(first, "select", "with") || (isQuery(first) && isWord(second, "union"));
}
