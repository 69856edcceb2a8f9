export type Extent = { low: number; high: number };
export type Scale = Extent & { ticks: number[] };

/** One line of a chart; null where nothing is known. */
export type Values = readonly (number | null)[];

const niceSteps = [1, 2, 2.5, 5, 10];

/** Round numbers that enclose the values and zero, about `wanted` steps apart. */
export function niceScale({ low, high }: Extent, wanted = 4): Scale {
  const bottom = Math.min(0, low);
  const top = Math.max(0, high);
  if (bottom === 0 && top === 0) return { low: 0, high: 1, ticks: [0] };
  const rough = (top - bottom) / wanted;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = (niceSteps.find((nice) => nice * magnitude >= rough * (1 - 1e-9)) ?? 10) * magnitude;
  const first = Math.floor(bottom / step);
  const last = Math.ceil(top / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step, step));
  return { low: ticks[0] ?? 0, high: ticks.at(-1) ?? 1, ticks };
}

// 3 × 0.1 is not 0.3.
function tidy(value: number, step: number): number {
  const places = Math.max(0, 2 - Math.floor(Math.log10(step)));
  return places === 0 ? value : Number(value.toFixed(Math.min(places, 20)));
}

export function extentOf(all: readonly Values[]): Extent {
  const known = all.flat().filter((value) => value !== null);
  return { low: Math.min(0, ...known), high: Math.max(0, ...known) };
}

/** Where the parts of each column begin and end when they stand on one another: gains upwards, losses downwards. */
export function stack(all: readonly Values[]): (readonly [from: number, to: number] | null)[][] {
  const columns = Math.max(0, ...all.map((values) => values.length));
  const up = new Array<number>(columns).fill(0);
  const down = new Array<number>(columns).fill(0);
  return all.map((values) =>
    values.map((value, column) => {
      if (value === null) return null;
      const side = value < 0 ? down : up;
      const from = side[column] ?? 0;
      side[column] = from + value;
      return [from, from + value] as const;
    }),
  );
}

/** Every how many columns a label fits without touching the next. */
export function labelEvery(labels: readonly string[], columnWidth: number, letterWidth = 7): number {
  const widest = Math.max(1, ...labels.map((label) => label.length)) * letterWidth + 8;
  return Math.max(1, Math.ceil(widest / Math.max(columnWidth, 1)));
}
