// JSON pointers (RFC 6901): where in a body something is wrong.

/** Long names are cut: an answer does not have to repeat all that was sent. */
const MAX_NAME = 100;

export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${escapePart(String(part).slice(0, MAX_NAME))}`).join("");
}

function escapePart(part: string): string {
  return /[~/]/.test(part) ? part.replaceAll("~", "~0").replaceAll("/", "~1") : part;
}
