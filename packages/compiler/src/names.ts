// Names that the language itself provides.

/** Types that hold one value and take no arguments. */
export const PLAIN_TYPES: readonly string[] = [
  "string",
  "integer",
  "float",
  "boolean",
  "date",
  "datetime",
  "uuid",
  "json",
];

/** What people coming from elsewhere write, and what it is called here. */
const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map([
  ["text", "string"],
  ["varchar", "string"],
  ["char", "string"],
  ["int", "integer"],
  ["bigint", "integer"],
  ["serial", "integer"],
  ["number", "integer"],
  ["long", "integer"],
  ["double", "float"],
  ["real", "float"],
  ["numeric", "decimal"],
  ["money", "decimal"],
  ["bool", "boolean"],
  ["timestamp", "datetime"],
  ["timestamptz", "datetime"],
  ["time", "datetime"],
  ["guid", "uuid"],
  ["jsonb", "json"],
  ["object", "json"],
]);

/** The type that a word means here or elsewhere; undefined when it means none. */
export function typeCalled(word: string): string | undefined {
  const lower = word.toLowerCase();
  return PLAIN_TYPES.includes(lower) || lower === "decimal" ? lower : FOREIGN_TYPES.get(lower);
}
