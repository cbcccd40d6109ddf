// SQL as text: where its statements end, and what is left of it without comments.

/** What may hold a semicolon or two dashes that mean nothing; the body of a function has quotes of its own. */
const TOKENS =
  /[eE]'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/g;

/** Statements without their comments and without the semicolon. */
export function splitStatements(sql: string): string[] {
  const statements = [""];
  const add = (text: string) => {
    statements[statements.length - 1] += text;
  };
  let end = 0;
  for (const match of sql.matchAll(TOKENS)) {
    const [token] = match;
    add(sql.slice(end, match.index));
    end = match.index + token.length;
    if (token === ";") statements.push("");
    else add(isComment(token) ? " " : token);
  }
  add(sql.slice(end));
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

function isComment(token: string): boolean {
  return token.startsWith("--") || token.startsWith("/*");
}

/** Statements as text of a file. */
export function joinStatements(statements: readonly string[]): string {
  return statements.map((statement) => `${statement};`).join("\n");
}
