import type { Timing } from './console.ts';

const width = 720;
const height = 420;
const plot = { left: 56, right: 500, top: 24, bottom: 372 };
const colours = ['#b4532a', '#8a6d1d', '#3f6f3a', '#a02c5d', '#37618e', '#5b4a99', '#7a4b2a'];
const sizes = ['2,000', '20,000', '200,000'];

/** A small chart of how a few daily requests grow: flat lines are what is wanted. */
export function growthChart(timings: readonly Timing[]): string {
  const top = niceTop(Math.max(...timings.flatMap(({ ms }) => ms)));
  const x = (place: number) => plot.left + ((plot.right - plot.left) * place) / (sizes.length - 1);
  const y = (ms: number) => plot.bottom - ((plot.bottom - plot.top) * ms) / top;
  const steps = Array.from({ length: 5 }, (_, index) => (top * index) / 4);
  const labels = spreadLabels(timings.map(({ ms }) => y(ms.at(-1) ?? 0)));
  const lines = timings.map(({ what, ms }, index) => {
    const colour = colours[index % colours.length];
    const points = ms.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`);
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>
${points.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`).join('')}
<text x="${plot.right + 12}" y="${((labels[index] ?? 0) + 4).toFixed(1)}" fill="${colour}">${what}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>Time in the database at 1, 10 and 100 times the data</title>
<rect width="${width}" height="${height}" fill="#fffdf8"/>
${steps.map((ms) => `<path d="M${plot.left} ${y(ms).toFixed(1)}H${plot.right}" stroke="#e4dccb"/><text x="${plot.left - 8}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end" fill="#5b5144">${ms} ms</text>`).join('\n')}
${sizes.map((size, place) => `<text x="${x(place).toFixed(1)}" y="${plot.bottom + 22}" text-anchor="middle" fill="#5b5144">${size} orders</text>`).join('\n')}
${lines.join('\n')}
</svg>
`;
}

function niceTop(most: number): number {
  const step = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 8, 10].map((factor) => factor * step).find((top) => top >= most) ?? most;
}

/** Labels at the ends of lines, a line of text apart. */
function spreadLabels(wanted: readonly number[]): number[] {
  const placed = [...wanted];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of wanted.map((_, place) => place).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))) {
    placed[index] = Math.max(wanted[index] ?? 0, last + 18);
    last = placed[index] ?? 0;
  }
  return placed;
}
