// How names of the source become names of the database and of paths. One rule, used everywhere.

/** `BlogPost` → `blog_post`, `createdAt` → `created_at`, `HTTPServer` → `http_server`. */
export function snakeCase(name: string): string {
  return ONE_WORD.test(name) ? name.toLowerCase() : words(name).join("_");
}

/** `BlogPost` → `blog-post`. */
export function kebabCase(name: string): string {
  return ONE_WORD.test(name) ? name.toLowerCase() : words(name).join("-");
}

/** As most names are. */
const ONE_WORD = /^[A-Za-z][a-z0-9]*$/;

/** A name of nothing but underscores has no words: it stands for itself. */
function words(name: string): string[] {
  const found = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .split("_")
    .filter((word) => word !== "");
  return found.length === 0 ? [name] : found.map((word) => word.toLowerCase());
}

/** PostgreSQL cuts longer names off without a word. */
export const MAX_IDENTIFIER_BYTES = 63;

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** UTF-8 takes at most three bytes for a unit of UTF-16, so that most names need not be encoded. */
export function isTooLong(name: string): boolean {
  return name.length * 3 > MAX_IDENTIFIER_BYTES && byteLength(name) > MAX_IDENTIFIER_BYTES;
}

/**
 * Name of a constraint or index. Parts are joined by `__`, which names in snake case never contain, so that
 * different parts never give the same name; names that are too long end in a hash of the whole.
 */
export function constraintName(table: string, columns: readonly string[], kind: string): string {
  const parts = [table, ...columns];
  const plain = [table, columns.join("__"), kind].filter((part) => part !== "").join("__");
  const isPlain = !isTooLong(plain) && !parts.some((part) => part.includes("__"));
  if (isPlain) return plain;
  const tail = `__${hash(parts.join("\u0000"))}__${kind}`;
  return cutToBytes(plain, MAX_IDENTIFIER_BYTES - byteLength(tail)) + tail;
}

function cutToBytes(text: string, limit: number): string {
  let result = "";
  let size = 0;
  for (const char of text) {
    size += byteLength(char);
    if (size > limit) break;
    result += char;
  }
  return result;
}

/** Ten base-36 digits (two 32-bit FNV-1a hashes): enough to keep names apart, no secrets involved. */
function hash(text: string): string {
  const digits = fnv(text, 0x811c9dc5).toString(36) + fnv(text, 0x01234567).toString(36);
  return digits.padStart(10, "0").slice(0, 10);
}

function fnv(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
