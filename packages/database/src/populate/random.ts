// Numbers that look random and are the same for the same seed, on every machine. For ids, uuids and salts of
// populated data; never for secrets.

export interface Random {
  /** 32 bits. */
  next(): number;
}

/** Four words from a text, well mixed (xmur3), then the small fast counter generator sfc32. */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = mixSeed(seed);
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return { next };
}

function mixSeed(seed: string): [number, number, number, number] {
  let hash = 1779033703 ^ seed.length;
  for (let index = 0; index < seed.length; index++) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 3432918353);
    hash = (hash << 13) | (hash >>> 19);
  }
  const word = (): number => {
    hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
    hash ^= hash >>> 16;
    return hash;
  };
  return [word(), word(), word(), word()];
}

const HEX = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, "0"));

function hex16(value: number): string {
  return HEX[value & 0xffff] ?? "";
}

/** A random uuid (version 4). */
export function randomUuid(random: Random): string {
  const [a, b, c, d] = [random.next(), random.next(), random.next(), random.next()];
  const version = hex16((b & 0x0fff) | 0x4000);
  const variant = hex16((c & 0x3fff) | 0x8000);
  return `${hex16(a >>> 16)}${hex16(a)}-${hex16(b >>> 16)}-${version}-${variant}-${hex16(c >>> 16)}${hex16(d >>> 16)}${hex16(d)}`;
}

export function randomBytes(random: Random, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => random.next() >>> 24);
}

/** How many ids share a millisecond: the twelve bits after the version count them. */
const IDS_PER_MILLISECOND = 4096;

/** Ever greater uuids (version 7) from a time on. */
export function orderedUuids(random: Random, startMs: number): () => string {
  let milliseconds = startMs;
  let count = 0;
  return () => {
    if (count === IDS_PER_MILLISECOND) {
      count = 0;
      milliseconds++;
    }
    const time = milliseconds.toString(16).padStart(12, "0");
    const [b, c] = [random.next(), random.next()];
    const variant = hex16((b & 0x3fff) | 0x8000);
    const order = hex16(0x7000 | count++);
    return `${time.slice(0, 8)}-${time.slice(8)}-${order}-${variant}-${hex16(b >>> 16)}${hex16(c >>> 16)}${hex16(c)}`;
  };
}

/** The time of a uuid of version 7 in milliseconds; undefined for all others. */
export function uuidTime(uuid: string): number | undefined {
  return uuid[14] === "7" ? Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) : undefined;
}
