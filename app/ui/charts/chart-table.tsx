import type { ChartProps } from './chart-frame.tsx';
import { said } from './said.ts';

/** The chart in words, for those who do not see it. */
export function ChartTable({
  title,
  labels,
  series,
  format,
}: Pick<ChartProps, 'title' | 'labels' | 'series' | 'format'>) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <td />
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <tr key={column}>
              <th scope="row">{label}</th>
              {series.map((one) => (
                <td key={one.label}>{said(one.values[column], format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
