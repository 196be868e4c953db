/** The name of `allowed` that `name` was probably meant to be; null where none is near. */
export function nearestName(name: string, allowed: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly far: number } | null = null;
  for (const candidate of allowed) {
    const far = distance(wanted, candidate.toLowerCase());
    if (best === null || far < best.far) best = { name: candidate, far };
  }
  return best !== null && best.far <= Math.max(1, Math.floor(name.length / 3)) ? best.name : null;
}

/** How many letters must be added, taken away, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8 || a.length > 64) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
