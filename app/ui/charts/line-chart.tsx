import { ChartFrame, type ChartProps, type Plot } from './chart-frame.tsx';
import styles from './charts.module.css';
import { extentOf, type Values } from './scale.ts';

/** The first line is drawn full, the others broken: the same days of another year, say. */
export function LineChart(chart: ChartProps) {
  const extent = extentOf(chart.series.map(({ values }) => values));
  return (
    <ChartFrame {...chart} extent={extent}>
      {(plot) =>
        chart.series.map(({ label, values }, place) => (
          <g key={label} className={styles.line} data-series={place % 6}>
            <path d={pathOf(plot, values)} />
            {alone(values).map((column) => (
              <circle key={column} cx={plot.x(column)} cy={plot.y(values[column] ?? 0)} r={3} />
            ))}
          </g>
        ))
      }
    </ChartFrame>
  );
}

/** The line breaks where nothing is known. */
function pathOf(plot: Plot, values: Values): string {
  return values
    .map((value, column) => {
      if (value === null) return '';
      const isBegun = column > 0 && values[column - 1] !== null;
      return `${isBegun ? 'L' : 'M'}${plot.x(column).toFixed(1)} ${plot.y(value).toFixed(1)}`;
    })
    .join('');
}

/** A value between unknown ones makes no line: it is a dot. */
function alone(values: Values): number[] {
  const unknown = (column: number) => (values[column] ?? null) === null;
  return values.flatMap((_, column) =>
    !unknown(column) && unknown(column - 1) && unknown(column + 1) ? [column] : [],
  );
}
