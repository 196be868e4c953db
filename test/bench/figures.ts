/** The value below which a share of the samples lies (nearest rank). */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** One row of a table on stdout. */
export function report(name: string, figures: Readonly<Record<string, string | number>>): void {
  const words = Object.entries(figures).map(
    ([key, value]) => `${key} ${typeof value === 'number' ? round(value) : value}`,
  );
  process.stdout.write(`${name.padEnd(44)} ${words.join(' · ')}\n`);
}

const round = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
