// Tokens, told apart by their form. Ours are 32 random bytes behind a prefix, by which scanners find those that leak.
// Only their hashes are kept. A token cannot be guessed, so a plain hash is as good as a slow one.

import { hash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const PREFIX = "stoa_";
const TOKEN = /^stoa_[\w-]{43}$/;

export function newToken(): string {
  return PREFIX + randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

const LONGEST_JWT = 8192;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export function isJwt(text: string): boolean {
  return text.length <= LONGEST_JWT && JWT.test(text);
}

export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}
