import type { Simulated, Span } from './simulate.ts';

export type Drawn = { title: string; nodes: number; databaseCores: number; simulated: Simulated };
type Panel = { title: string; value(span: Span, of: Drawn): number; ticks: readonly [number, string][]; log?: boolean };

const width = 760;
const panelHeight = 132;
const gap = 44;
const plot = { left: 64, right: 736, top: 64 };
// Dark enough on the paper of a light page, and the picture brings its own paper for a dark one.
const colours = ['#37618e', '#b4532a', '#3f6f3a'];

const panels: readonly Panel[] = [
  {
    title: 'requests a second',
    value: (span, { simulated }) => span.requests / simulated.spanSeconds,
    ticks: [
      [0.01, '0.01'],
      [1, '1'],
      [100, '100'],
      [10_000, '10,000'],
    ],
    log: true,
  },
  {
    title: 'pages that were kept (hit rate)',
    value: ({ hits, pages }) => hits / pages,
    ticks: [
      [0, '0 %'],
      [0.5, '50 %'],
      [1, '100 %'],
    ],
  },
  {
    title: 'database: share of its cores that is busy',
    value: ({ databaseBusy }, { simulated, databaseCores }) => databaseBusy / simulated.spanSeconds / databaseCores,
    ticks: [
      [0, '0 %'],
      [0.5, '50 %'],
      [1, '100 %'],
    ],
  },
  {
    title: 'time to an answer, 99 of 100 are faster',
    value: ({ waits }) => waits.percentile(0.99) * 1000,
    ticks: [
      [1, '1 ms'],
      [10, '10 ms'],
      [100, '100 ms'],
      [1000, '1 s'],
    ],
    log: true,
  },
];

/** The day in four pictures, one line for each size of shop. */
export function rushChart(drawn: readonly Drawn[]): string {
  const height = plot.top + panels.length * (panelHeight + gap);
  const legend = drawn.map(
    ({ title }, index) =>
      `<path d="M${plot.left + index * 210} 34h24" stroke="${colours[index % colours.length]}" stroke-width="3"/><text x="${plot.left + index * 210 + 32}" y="38" fill="#3d352b">${title}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>A simulated Diwali rush: requests, kept pages, database and waiting over 24 hours</title>
<rect width="${width}" height="${height}" rx="8" fill="#fffdf8"/>
${legend.join('\n')}
${panels.map((panel, index) => drawPanel(panel, plot.top + index * (panelHeight + gap), drawn)).join('\n')}
</svg>
`;
}

function drawPanel(panel: Panel, top: number, drawn: readonly Drawn[]): string {
  const bottom = top + 20 + panelHeight - 20;
  const scale = (value: number) => (panel.log ? Math.log10(value) : value);
  const low = scale(panel.ticks[0]?.[0] ?? 0);
  const high = scale(panel.ticks.at(-1)?.[0] ?? 1);
  const y = (value: number) => {
    const share = (scale(Math.max(value, panel.log ? 1e-9 : 0)) - low) / (high - low);
    return (bottom - (bottom - top - 20) * Math.min(1, Math.max(0, share))).toFixed(1);
  };
  const x = (part: number) => (plot.left + (plot.right - plot.left) * part).toFixed(1);
  const grid = panel.ticks.map(
    ([value, label]) =>
      `<path d="M${plot.left} ${y(value)}H${plot.right}" stroke="#e4dccb"/><text x="${plot.left - 8}" y="${Number(y(value)) + 4}" text-anchor="end" fill="#5b5144">${label}</text>`,
  );
  const hours = [0, 6, 12, 18, 24].map(
    (hour) => `<text x="${x(hour / 24)}" y="${bottom + 16}" text-anchor="middle" fill="#5b5144">${hour}:00</text>`,
  );
  const lines = drawn.map((of, index) => {
    const { spans } = of.simulated;
    // Where nobody came there is nothing to show.
    const points = spans.flatMap((span, place) =>
      span.pages === 0 ? [] : [`${x((place + 0.5) / spans.length)},${y(panel.value(span, of))}`],
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[index % colours.length]}" stroke-width="1.8" stroke-linejoin="round"/>`;
  });
  return `<text x="${plot.left}" y="${top + 8}" fill="#3d352b" font-weight="600">${panel.title}</text>
${grid.join('\n')}
${hours.join('')}
${lines.join('\n')}`;
}
