// Every request has an id, which is in its answer and in every line that the log has about it.

import { randomBytes } from "node:crypto";

const LONGEST = 128;

/** Tells processes apart; within one the counter does. Ids are names and not secrets, so this is enough. */
const processName = randomBytes(9).toString("base64url").replaceAll("_", "-");
let count = 0;

/** The client's own id when it is harmless anywhere it may be written, else a new one. */
export function chooseRequestId(given: string | readonly string[] | undefined): string {
  return typeof given === "string" && isSane(given) ? given : newRequestId();
}

export function newRequestId(): string {
  count++;
  return `${processName}.${count}`;
}

function isSane(text: string): boolean {
  if (text.length === 0 || text.length > LONGEST) return false;
  for (let index = 0; index < text.length; index++) {
    if (!isSaneCode(text.charCodeAt(index))) return false;
  }
  return true;
}

/** Letters, digits, dot, hyphen and underscore. */
function isSaneCode(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  if (code >= 0x41) return code <= 0x5a || code === 0x5f;
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
}
