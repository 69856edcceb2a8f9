import type { ReactNode } from 'react';
import tables from './data-table.module.css';
import type { Column } from './data-table.tsx';
import styles from './loading-shapes.module.css';
import panels from './panel.module.css';
import { Skeleton } from './skeleton.tsx';

const places = (count: number) => Array.from({ length: count }, (_, place) => place);

/** Says once that something is loading; the shape itself is only to be seen. */
export function LoadingShape({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div aria-busy="true">
      <p className="visually-hidden">Loading…</p>
      <div aria-hidden="true" className={className ?? styles.panels}>
        {children}
      </div>
    </div>
  );
}

type BlankTableProps = {
  columns: readonly Pick<Column<never>, 'key' | 'title' | 'align' | 'hideOnPhone' | 'hideOnTablet'>[];
  rows?: number;
  /** With the boxes that select rows. */
  canSelect?: boolean;
};

/** A table with its own headings and blank rows; on a phone cards, as they will be. */
export function BlankTable({ columns, rows = 8, canSelect = false }: BlankTableProps) {
  return (
    <div className={tables.frame}>
      <table className={`${tables.table} ${styles.table}`}>
        <thead>
          <tr>
            {canSelect && <th className={tables.choice} />}
            {columns.map(({ key, title, align, hideOnTablet }) => (
              <th key={key} data-align={align} data-hide-on-tablet={hideOnTablet || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places(rows).map((row) => (
            <tr key={row}>
              {canSelect && <td className={tables.choice} />}
              {columns.map(({ key, title, align, hideOnPhone, hideOnTablet }) => (
                <td
                  key={key}
                  data-label={title}
                  data-align={align}
                  data-hide-on-phone={hideOnPhone || undefined}
                  data-hide-on-tablet={hideOnTablet || undefined}
                >
                  <Skeleton className={styles.blank} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function LoadingTable(props: BlankTableProps) {
  return (
    <LoadingShape>
      <BlankTable {...props} />
    </LoadingShape>
  );
}

type BlankPanelProps = {
  /** What its heading will say, where that is known. */
  title?: string;
  lines?: number;
  /** Labels with their inputs, as in a form. */
  fields?: number;
  hasChart?: boolean;
  children?: ReactNode;
};

export function BlankPanel({ title, lines = 0, fields = 0, hasChart = false, children }: BlankPanelProps) {
  return (
    <div className={panels.panel}>
      <div className={panels.head}>{title ? <h2>{title}</h2> : <Skeleton className={styles.title} />}</div>
      {hasChart && <Skeleton className={styles.chart} />}
      {lines > 0 && (
        <div className={styles.lines}>
          {places(lines).map((line) => (
            <Skeleton key={line} />
          ))}
        </div>
      )}
      {fields > 0 && (
        <div className={styles.fields}>
          {places(fields).map((field) => (
            <span key={field}>
              <Skeleton className={styles.label} />
              <Skeleton className={styles.field} />
            </span>
          ))}
        </div>
      )}
      {children}
    </div>
  );
}

/** Figures beside one another. */
export function BlankTiles({ count }: { count: number }) {
  return (
    <div className={styles.tiles}>
      {places(count).map((tile) => (
        <Skeleton key={tile} />
      ))}
    </div>
  );
}
