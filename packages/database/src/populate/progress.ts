// How far a run is: rows written, how fast, and how long it will still take where the total is known.

export interface Progress {
  readonly rows: number;
  /** Null where it depends on values that are only known when they are made. */
  readonly total: number | null;
  readonly elapsedMs: number;
  readonly rowsPerSecond: number;
  readonly remainingMs: number | null;
}

export function measureProgress(rows: number, total: number | null, elapsedMs: number): Progress {
  const rowsPerSecond = elapsedMs > 0 ? Math.round((rows * 1000) / elapsedMs) : 0;
  const isKnown = total !== null && rows > 0;
  const remainingMs = isKnown ? Math.round((Math.max(0, total - rows) * elapsedMs) / rows) : null;
  return { rows, total, elapsedMs, rowsPerSecond, remainingMs };
}
