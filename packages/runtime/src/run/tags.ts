// Entity tags on the side of the server.

import { hash } from "node:crypto";
import type { Call } from "../exchange.js";
import { TAG_LENGTH } from "../plan/tag.js";

export function tagOfBytes(row: Uint8Array): string {
  return `"${hash("sha256", row, "hex").slice(0, TAG_LENGTH)}"`;
}

const TAG = /"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * The tags of `If-Match` as a list that PostgreSQL reads; null where any record will do. Weak tags never match,
 * and what is no tag at all matches nothing.
 */
export function wantedTags({ headers }: Pick<Call, "headers">): string | null {
  const header = headerText(headers["if-match"]);
  if (header === undefined || header.trim() === "*") return null;
  const strong = header.replaceAll(/W\/"[^"]*"/g, "");
  const tags = [...strong.matchAll(TAG)].map(([, tag = ""]) => tag).filter((tag) => /^[0-9a-f]+$/.test(tag));
  return `{${tags.join(",")}}`;
}

/** Whether the client has this already. Here weak tags count as well. */
export function isKnownTag({ headers }: Pick<Call, "headers">, tag: string): boolean {
  const header = headerText(headers["if-none-match"]);
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((each) => each.trim().replace(/^W\//, "") === tag);
}

function headerText(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined || typeof header === "string" ? header : header.join(", ");
}
