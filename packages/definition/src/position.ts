// Where in a JSON value a walk stands: a chain towards the root, so that a step costs the same at any depth.

export interface Position {
  readonly parent: Position | null;
  readonly key: string | number;
  /** Steps from the root, whose own depth is 0. */
  readonly depth: number;
}

export const ROOT: Position = { parent: null, key: "", depth: 0 };

export function step(parent: Position, key: string | number): Position {
  return { parent, key, depth: parent.depth + 1 };
}

/** A JSON pointer (RFC 6901): empty for the root, else `/models/0/name`. */
export function toPointer(position: Position): string {
  const keys: string[] = [];
  for (let at = position; at.parent !== null; at = at.parent) keys.push(escapeKey(String(at.key)));
  return keys.reverse().join("");
}

function escapeKey(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
