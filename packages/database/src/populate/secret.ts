// How passwords are stored: scrypt in the PHC notation, `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, both in base64
// without padding. The same format that login checks; the parameters stand in every hash, so that they can be
// raised later without touching what is stored. 16 MiB per hash, and the work that OWASP asks for with it.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const LOG_COST = 14;
const BLOCK_SIZE = 8;
const PARALLELISM = 5;
export const SALT_BYTES = 16;
const HASH_BYTES = 32;

export type HashSecret = (secret: string) => string | Promise<string>;

export async function hashSecret(
  secret: string,
  salt: Uint8Array = randomBytes(SALT_BYTES),
): Promise<string> {
  const cost = { logCost: LOG_COST, blockSize: BLOCK_SIZE, parallelism: PARALLELISM };
  const hash = await derive(secret, { salt, cost, length: HASH_BYTES });
  return `$scrypt$ln=${LOG_COST},r=${BLOCK_SIZE},p=${PARALLELISM}$${base64(salt)}$${base64(hash)}`;
}

const FORMAT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** False also for a text that is no hash. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const match = FORMAT.exec(stored);
  if (!match) return false;
  const [logCost, blockSize, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, wanted] = match.slice(4, 6).map((text) => Buffer.from(text, "base64")) as [Buffer, Buffer];
  const cost = { logCost, blockSize, parallelism };
  const found = await derive(secret, { salt, cost, length: wanted.length });
  return timingSafeEqual(found, wanted);
}

/** Whether a hash was made as hashes are made now; where it was not, whoever has the secret can make a new one. */
export function isCurrentHash(stored: string): boolean {
  return stored.startsWith(`$scrypt$ln=${LOG_COST},r=${BLOCK_SIZE},p=${PARALLELISM}$`);
}

interface Derivation {
  readonly salt: Uint8Array;
  readonly cost: { readonly logCost: number; readonly blockSize: number; readonly parallelism: number };
  readonly length: number;
}

/** Equal texts in different Unicode spellings are one password. */
function derive(secret: string, { salt, cost, length }: Derivation): Promise<Buffer> {
  const options = { N: 2 ** cost.logCost, r: cost.blockSize, p: cost.parallelism, maxmem: 512 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize("NFKC"), salt, length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

const REMEMBERED = 1000;

/**
 * Hashing takes time on purpose, and populated users mostly share a password: the same one is hashed once. The
 * salt comes from the run's seed, so that the same source gives the same data; whoever knows the source knows
 * the password anyway.
 */
export function rememberHashes(hash: (secret: string) => string | Promise<string>): HashSecret {
  const known = new Map<string, string>();
  return (secret) => {
    const hashed = known.get(secret);
    if (hashed !== undefined) return hashed;
    return Promise.resolve(hash(secret)).then((fresh) => {
      if (known.size >= REMEMBERED) known.clear();
      known.set(secret, fresh);
      return fresh;
    });
  };
}
