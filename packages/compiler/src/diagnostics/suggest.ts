// "Did you mean": the nearest known name, by edit distance with transpositions, ignoring case first.

/** The known name closest to `wrong`, or undefined when none is close enough to be a likely slip. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  const limit = wrong.length <= 2 ? 1 : wrong.length <= 5 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    if (candidate === wrong || Math.abs(candidate.length - wrong.length) > limit) continue;
    const distance = likeness(wrong, candidate);
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && candidate < best)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  // A name that shares almost no letters is no suggestion, however short it is.
  return best !== undefined && bestDistance < Math.max(best.length, wrong.length) * 0.6 ? best : undefined;
}

function likeness(wrong: string, candidate: string): number {
  if (wrong.toLowerCase() === candidate.toLowerCase()) return 0.5;
  return editDistance(wrong.toLowerCase(), candidate.toLowerCase());
}

/** Damerau–Levenshtein distance (restricted: no substring is edited twice). */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
