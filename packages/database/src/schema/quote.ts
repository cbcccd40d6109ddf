// The only way for names and values into SQL text. Statements with values use parameters; quoted literals are
// for statements that take none, such as those that change tables.

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `E'…'` where there is a backslash: it means the same whatever `standard_conforming_strings` is. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** A table or index in its schema; no `search_path` can make it mean another one. */
export function qualifyName(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(", ");
}
