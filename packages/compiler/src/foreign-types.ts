// Types as people coming from elsewhere call them.

const CALLED_HERE: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["text", "string"],
  ["varchar", "string"],
  ["char", "string"],
  ["integer", "integer"],
  ["int", "integer"],
  ["bigint", "integer"],
  ["serial", "integer"],
  ["number", "integer"],
  ["long", "integer"],
  ["float", "float"],
  ["double", "float"],
  ["real", "float"],
  ["decimal", "decimal"],
  ["numeric", "decimal"],
  ["money", "decimal"],
  ["boolean", "boolean"],
  ["bool", "boolean"],
  ["date", "date"],
  ["datetime", "datetime"],
  ["timestamp", "datetime"],
  ["timestamptz", "datetime"],
  ["time", "datetime"],
  ["uuid", "uuid"],
  ["guid", "uuid"],
  ["json", "json"],
  ["jsonb", "json"],
  ["object", "json"],
]);

/** The type that a word means, here or elsewhere and in any case; undefined when it means none. */
export function typeCalled(word: string): string | undefined {
  return CALLED_HERE.get(word.toLowerCase());
}
