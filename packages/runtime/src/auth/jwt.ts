// Tokens that an issuer has signed: what must be true of one before its subject is believed.

import type { Jwt } from "@stoa/definition";
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import type { ReadText } from "../input/identifier.js";
import type { KeySet, Keys } from "./key-set.js";

/** The subject as a parameter of statements; undefined where the token is not good. Rejects without keys. */
export type ReadSubject = (token: string) => Promise<string | undefined>;

/**
 * Signatures by private keys alone. With a shared secret, whoever can check tokens could make them; and the
 * public key would pass for the secret where the token chose how it is checked.
 */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
const LEEWAY_SECONDS = 30;

export function createSubjectReader(
  { issuer, audience }: Jwt,
  keySet: KeySet,
  readSubject: ReadText,
): ReadSubject {
  const rules: JWTVerifyOptions = {
    ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: LEEWAY_SECONDS },
    requiredClaims: ["iss", "aud", "exp", "sub"],
  };
  return async (token) => {
    const sub = (await verify(token, keySet, rules))?.sub;
    return typeof sub === "string" && sub !== "" ? readSubject(sub) : undefined;
  };
}

async function verify(
  token: string,
  keySet: KeySet,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | undefined> {
  const keys = await keySet.current();
  const first = await verifyWith(keys, token, rules);
  if (first.kind === "good") return first.payload;
  const newer = first.mayBeRotated ? await keySet.newer(keys) : null;
  if (newer === null) return undefined;
  const second = await verifyWith(newer, token, rules);
  return second.kind === "good" ? second.payload : undefined;
}

type Verdict =
  | { readonly kind: "good"; readonly payload: JWTPayload }
  /** `mayBeRotated`: another key might say otherwise. */
  | { readonly kind: "bad"; readonly mayBeRotated: boolean };

/** Whatever goes wrong with a token, it is not good. */
async function verifyWith(keys: Keys, token: string, rules: JWTVerifyOptions): Promise<Verdict> {
  try {
    const { payload } = await jwtVerify(token, keys, rules);
    return { kind: "good", payload };
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithEach(error, token, rules);
    return { kind: "bad", mayBeRotated: isAboutKeys(error) };
  }
}

function isAboutKeys(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}

/** A token need not name its key. */
async function verifyWithEach(
  candidates: errors.JWKSMultipleMatchingKeys,
  token: string,
  rules: JWTVerifyOptions,
): Promise<Verdict> {
  for await (const key of candidates) {
    try {
      const { payload } = await jwtVerify(token, key, rules);
      return { kind: "good", payload };
    } catch (error) {
      if (!isAboutKeys(error)) return { kind: "bad", mayBeRotated: false };
    }
  }
  return { kind: "bad", mayBeRotated: true };
}
