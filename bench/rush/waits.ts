// Twenty steps from each power of ten to the next, from a hundredth of a millisecond to a thousand seconds.
const STEPS = 20;
const LEAST = 1e-5;
const BINS = STEPS * 8;

export type Waits = ReturnType<typeof createWaits>;

/** How long people waited, in little room: percentiles are exact to a twentieth of a power of ten. */
export function createWaits() {
  const bins = new Float64Array(BINS);
  let count = 0;
  let sum = 0;
  return {
    add(seconds: number): void {
      const step = Math.floor(Math.log10(Math.max(seconds, LEAST) / LEAST) * STEPS);
      const bin = Math.min(BINS - 1, step);
      bins[bin] = (bins[bin] as number) + 1;
      count += 1;
      sum += seconds;
    },
    bins: (): Readonly<Float64Array> => bins,
    mean: (): number => (count === 0 ? 0 : sum / count),
    percentile: (share: number): number => percentileOf(bins, share),
  };
}

/** Of several spans together. */
export function percentileOfAll(all: readonly Waits[], share: number): number {
  const together = new Float64Array(BINS);
  for (const { bins } of all)
    for (const [bin, count] of bins().entries()) together[bin] = (together[bin] as number) + count;
  return percentileOf(together, share);
}

function percentileOf(bins: Readonly<Float64Array>, share: number): number {
  const count = bins.reduce((sum, one) => sum + one, 0);
  if (count === 0) return 0;
  let seen = 0;
  for (const [bin, one] of bins.entries()) {
    seen += one;
    if (seen >= share * count) return LEAST * 10 ** ((bin + 0.5) / STEPS);
  }
  return Number.POSITIVE_INFINITY;
}
