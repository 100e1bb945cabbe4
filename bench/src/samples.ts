/** The value that `share` (0 to 1) of the samples do not exceed. Throws without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('nothing was measured');
  return value;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** `median [least–most]`, so that a reader sees how much the figure can be believed. */
export function spread(samples: readonly number[], digits = 0): string {
  const [mid, least, most] = [median(samples), Math.min(...samples), Math.max(...samples)].map((value) =>
    value.toFixed(digits),
  );
  return `${mid} [${least}–${most}]`;
}
