import { ChartFrame, type ChartProps, type Plot } from './chart-frame.tsx';
import styles from './charts.module.css';
import { extentOf, stack } from './scale.ts';

export type BarChartProps = ChartProps & {
  /** Beside one another, or as parts of a whole. */
  layout?: 'grouped' | 'stacked';
};

type Bar = readonly [from: number, to: number] | null;

const thickest = 44;

export function BarChart({ layout = 'grouped', ...chart }: BarChartProps) {
  const all = chart.series.map(({ values }) => values);
  const isStacked = layout === 'stacked';
  const bars: Bar[][] = isStacked ? stack(all) : all.map((values) => values.map(fromZero));
  const extent = extentOf(bars.map((bar) => bar.flatMap((ends) => ends ?? [])));
  return (
    <ChartFrame {...chart} extent={extent}>
      {(plot) =>
        chart.series.map(({ label }, place) => (
          <g key={label} className={styles.bars} data-series={place % 6}>
            {boxesOf(plot, bars[place] ?? [], isStacked ? 0 : place, isStacked ? 1 : bars.length).map((box) => (
              <rect key={box.x} {...box} />
            ))}
          </g>
        ))
      }
    </ChartFrame>
  );
}

function fromZero(value: number | null): Bar {
  return value === null ? null : [0, value];
}

function boxesOf(plot: Plot, bars: readonly Bar[], place: number, beside: number) {
  const width = Math.min(thickest, (plot.columnWidth * 0.7) / beside);
  const gap = beside > 1 ? 1 : 0;
  return bars.flatMap((ends, column) => {
    if (ends === null) return [];
    const top = plot.y(Math.max(...ends));
    return [
      {
        x: plot.x(column) + (place - beside / 2) * width,
        y: top,
        width: Math.max(1, width - gap),
        height: plot.y(Math.min(...ends)) - top,
      },
    ];
  });
}
