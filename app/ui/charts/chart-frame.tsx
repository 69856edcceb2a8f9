import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ChartTable } from './chart-table.tsx';
import styles from './charts.module.css';
import { said } from './said.ts';
import { type Extent, labelEvery, niceScale, type Values } from './scale.ts';

export type ChartSeries = { label: string; values: Values };

export type ChartProps = {
  /** Names the chart, and the table that says the same in words. */
  title: string;
  /** The title is said by what stands around the chart. */
  isTitleHidden?: boolean;
  /** Along the axis, one for each value of every series. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** A whole value, as it is read out and stands in the table. */
  format(value: number): string;
  /** A value where there is little room: at the axis. */
  formatAxis?(value: number): string;
  height?: number;
};

/** Where to draw: the middle of a column, how wide it is, and the height of a value. */
export type Plot = { x(column: number): number; columnWidth: number; y(value: number): number };

type ChartFrameProps = ChartProps & { extent: Extent; children(plot: Plot): ReactNode };

const room = { top: 10, right: 8, bottom: 26 };
const letterWidth = 7;

/** What every chart has: axes, a legend, values under the pointer or the arrow keys, and a table for those who listen. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, isTitleHidden, labels, series, format, formatAxis = format, height = 260, extent, children } = props;
  const id = useId();
  const { ref, width } = useWidth();
  const [active, setActive] = useState<number | null>(null);
  const scale = niceScale(extent, height < 180 ? 2 : 4);
  const left = Math.max(...scale.ticks.map((tick) => formatAxis(tick).length)) * letterWidth + 10;
  const columnWidth = Math.max(1, (width - left - room.right) / Math.max(1, labels.length));
  const inside = height - room.top - room.bottom;
  const plot: Plot = {
    columnWidth,
    x: (column) => left + (column + 0.5) * columnWidth,
    y: (value) => room.top + ((scale.high - value) / (scale.high - scale.low)) * inside,
  };
  const every = labelEvery(labels, columnWidth, letterWidth);

  function onPointer(event: PointerEvent<HTMLElement>) {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const column = Math.floor((at - left) / columnWidth);
    setActive(column >= 0 && column < labels.length ? column : null);
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = columnAfter(event.key, active, labels.length);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
  }

  return (
    <figure className={styles.chart}>
      <figcaption id={`${id}-title`} className={isTitleHidden ? 'visually-hidden' : styles.title}>
        {title}
      </figcaption>
      {series.length > 1 && <Legend series={series} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form where there is none */}
      <div
        ref={ref}
        className={styles.plot}
        role="group"
        aria-label={`${title}: left and right arrow keys read the values`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the values
        tabIndex={0}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setActive(null)}
        onBlur={() => setActive(null)}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line
                className={tick === 0 ? styles.zero : styles.grid}
                x1={left}
                x2={width - room.right}
                y1={plot.y(tick)}
                y2={plot.y(tick)}
              />
              <text className={styles.tick} x={left - 8} y={plot.y(tick)} dy="0.32em" textAnchor="end">
                {formatAxis(tick)}
              </text>
            </g>
          ))}
          {active !== null && (
            <rect
              className={styles.active}
              x={left + active * columnWidth}
              y={room.top}
              width={columnWidth}
              height={inside}
            />
          )}
          {children(plot)}
          {labels.map(
            (label, column) =>
              column % every === 0 && (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <text key={column} className={styles.tick} x={plot.x(column)} y={height - 8} textAnchor="middle">
                  {label}
                </text>
              ),
          )}
        </svg>
        <div aria-live="polite">
          {active !== null && (
            <div
              className={styles.readout}
              data-side={active < labels.length / 2 ? 'right' : 'left'}
              style={{ '--at': `${plot.x(active)}px` } as React.CSSProperties}
            >
              <strong>{labels[active]}</strong>
              {series.map(({ label, values }, place) => (
                <span key={label}>
                  <i className={styles.swatch} data-series={place % 6} aria-hidden="true" />
                  {series.length > 1 && <>{label} </>}
                  <b>{said(values[active], format)}</b>
                </span>
              ))}
            </div>
          )}
        </div>
      </div>
      <ChartTable title={title} labels={labels} series={series} format={format} />
    </figure>
  );
}

function columnAfter(key: string, active: number | null, columns: number): number | null | undefined {
  if (columns === 0) return undefined;
  if (key === 'ArrowRight') return active === null ? 0 : Math.min(columns - 1, active + 1);
  if (key === 'ArrowLeft') return active === null ? columns - 1 : Math.max(0, active - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return columns - 1;
  if (key === 'Escape' && active !== null) return null;
  return undefined;
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul className={styles.legend} aria-hidden="true">
      {series.map(({ label }, place) => (
        <li key={label}>
          <i className={styles.swatch} data-series={place % 6} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** The width there is, so that letters keep their size on every screen. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(200, Math.round(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
