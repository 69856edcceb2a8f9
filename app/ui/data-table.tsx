import { memo, type ReactNode, startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ButtonLink } from './button.tsx';
import styles from './data-table.module.css';

export type Column<Row> = {
  key: string;
  title: string;
  cell(row: Row): ReactNode;
  align?: 'end';
  /** The name under which the list sorts by it. */
  sort?: string;
  hideOnPhone?: boolean;
  /** Left out where the table is narrow, 768 to 1199 px: what is also said one click further. */
  hideOnTablet?: boolean;
  /** Kept on one line: a date, a phone number. */
  isOneLine?: boolean;
};

export type DataTableProps<Row> = {
  /** Read to those who cannot see the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** What the rows come to, below them; cells that say nothing are left out on a phone. */
  total?: Row;
  rowKey(row: Row): string;
  /** What a row is called, where it is chosen. */
  rowLabel?(row: Row): string;
  selection?: { selected: ReadonlySet<string>; onChange(selected: Set<string>): void };
  sort?: { by: string; descending: boolean; hrefFor(by: string): string };
  /** Instead of a table without rows. */
  empty: ReactNode;
  /** The next answer is on its way. */
  isStale?: boolean;
  /** Where the keyboard stands. */
  current?: string | null;
};

/** A ledger; on a phone each row is a card with its labels. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, total, rowKey, rowLabel, selection, sort, empty, isStale, current } = props;
  const drawn = useFirstRows(rows);
  const keys = rows.map(rowKey);
  const isAllSelected = selection !== undefined && keys.every((key) => selection.selected.has(key));

  function choose(chosen: readonly string[], wanted: boolean) {
    const next = new Set(selection?.selected);
    for (const key of chosen) wanted ? next.add(key) : next.delete(key);
    selection?.onChange(next);
  }

  const latest = useRef(choose);
  latest.current = choose;
  const chooseOne = useCallback((key: string, wanted: boolean) => latest.current([key], wanted), []);

  if (rows.length === 0) return <>{empty}</>;
  return (
    <div className={styles.frame} aria-busy={isStale || undefined}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.choice}>
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  checked={isAllSelected}
                  onChange={(event) => choose(keys, event.target.checked)}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={column.align}
                data-hide-on-tablet={column.hideOnTablet || undefined}
                aria-sort={sort && column.sort === sort.by ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                {sort && column.sort ? (
                  <Link to={sort.hrefFor(column.sort)} preventScrollReset replace>
                    {column.title}
                    <span aria-hidden="true">{column.sort === sort.by ? (sort.descending ? ' ↓' : ' ↑') : ''}</span>
                  </Link>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => {
            const key = rowKey(row);
            return (
              <TableRow
                key={key}
                id={key}
                columns={columns}
                row={row}
                label={selection ? `Select ${rowLabel?.(row) ?? key}` : undefined}
                isSelected={selection?.selected.has(key) ?? false}
                isCurrent={current === key}
                onChoose={chooseOne}
              />
            );
          })}
        </tbody>
        {total && (
          <tfoot>
            <tr>
              {selection && <td className={styles.choice} />}
              <Cells columns={columns} row={total} />
            </tr>
          </tfoot>
        )}
      </table>
      <HiddenColumns titles={columns.filter(({ hideOnTablet }) => hideOnTablet).map(({ title }) => title)} />
    </div>
  );
}

/** Where the table is narrow: what it leaves out, and where that is. */
function HiddenColumns({ titles }: { titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return (
    <p className={styles.hiddenColumns}>
      Not shown at this width: {titles.join(', ')}. Open a row to see {titles.length === 1 ? 'it' : 'them'}.
    </p>
  );
}

const firstScreen = 12;
let isPageBusy = true;

/**
 * While the page starts, as many rows as its first screen shows, and then all of them: what is looked at first does not wait
 * for the rest. Later lists are drawn at once, at the height to which the reader scrolled before.
 */
function useFirstRows<Row>(rows: readonly Row[]): readonly Row[] {
  const [isComplete, setComplete] = useState(!isPageBusy);
  useEffect(() => {
    isPageBusy = false;
    startTransition(() => setComplete(true));
  }, []);
  return isComplete ? rows : rows.slice(0, firstScreen);
}

type TableRowProps<Row> = {
  id: string;
  columns: readonly Column<Row>[];
  row: Row;
  /** Of the box that selects it; without one there is no box. */
  label: string | undefined;
  isSelected: boolean;
  isCurrent: boolean;
  onChoose(key: string, wanted: boolean): void;
};

/** Drawn again only when its own row, its state or the columns change: one press does not draw fifty rows. */
const TableRow = memo(function TableRow<Row>(props: TableRowProps<Row>) {
  const { id, columns, row, label, isSelected, isCurrent, onChoose } = props;
  return (
    <tr data-selected={isSelected || undefined} data-current={isCurrent || undefined}>
      {label !== undefined && (
        <td className={styles.choice}>
          <input
            type="checkbox"
            aria-label={label}
            checked={isSelected}
            onChange={(event) => onChoose(id, event.target.checked)}
          />
        </td>
      )}
      <Cells columns={columns} row={row} />
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map((column) => (
    <td
      key={column.key}
      data-label={column.title}
      data-align={column.align}
      data-hide-on-phone={column.hideOnPhone || undefined}
      data-hide-on-tablet={column.hideOnTablet || undefined}
      data-one-line={column.isOneLine || undefined}
    >
      {column.cell(row)}
    </td>
  ));
}

export type PagerProps = {
  next: string | null;
  first: string | null;
  count: number;
  countIsCapped: boolean;
  shown: number;
};

export function Pager({ next, first, count, countIsCapped, shown }: PagerProps) {
  const total = countIsCapped ? `${(count - (count % 1000)).toLocaleString('en-IN')}+` : count.toLocaleString('en-IN');
  if (count === 0) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span>
        {shown.toLocaleString('en-IN')} of {total}
      </span>
      {first && (
        <ButtonLink size="small" to={first}>
          First page
        </ButtonLink>
      )}
      {next && (
        <ButtonLink size="small" to={next} rel="next">
          Next page
        </ButtonLink>
      )}
    </nav>
  );
}

/** For what is told newest first and never counted. */
export function OlderNewer({ newest, older }: { newest: string | null; older: string | null }) {
  if (!newest && !older) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      {newest && (
        <ButtonLink size="small" to={newest}>
          Newest
        </ButtonLink>
      )}
      {older && (
        <ButtonLink size="small" to={older} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
