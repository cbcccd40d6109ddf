// "Did you mean": the nearest known name, by edit distance with transpositions, ignoring case first.

/** The known name closest to `wrong`, or undefined when none is close enough to be a likely slip. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  return nearestFirst(wrong, known)[0];
}

/** All known names that `wrong` may be a slip for, the closest first. */
export function nearestFirst(wrong: string, known: Iterable<string>): string[] {
  const limit = wrong.length <= 2 ? 1 : wrong.length <= 5 ? 2 : 3;
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of known) {
    if (name === wrong || Math.abs(name.length - wrong.length) > limit) continue;
    const distance = likeness(wrong, name);
    // A name that shares almost no letters is no suggestion, however short it is.
    const isLikely = distance <= limit && distance < Math.max(name.length, wrong.length) * 0.6;
    if (isLikely) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.map(({ name }) => name);
}

/** The edit distance. Case counts little, since it is easily got wrong, yet it decides between equals. */
function likeness(wrong: string, candidate: string): number {
  const distance = editDistance(wrong.toLowerCase(), candidate.toLowerCase());
  if (distance === 0) return 0.5;
  return distance + (hasCapitals(wrong) === hasCapitals(candidate) ? 0 : 0.25);
}

function hasCapitals(text: string): boolean {
  return text !== text.toLowerCase();
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
