import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';
import { OlderNewer } from '#app/ui/data-table.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { DayChoice, Filters } from '../list/list-filters.tsx';
import { NotLoaded } from '../list/not-loaded.tsx';

type Days = { from: string; to: string };

type FilterProps = { days: Days; isFiltered: boolean; onChange(days: Partial<Days>): void; onClear(): void };

/** The filters of a log: its own ones, the days, and a way to clear them all. */
export function LogFilters({ days, isFiltered, onChange, onClear, children }: FilterProps & { children: ReactNode }) {
  return (
    <Filters>
      {children}
      <DayChoice label="From" value={days.from} onChange={(from) => onChange({ from })} />
      <DayChoice label="Until" value={days.to} onChange={(to) => onChange({ to })} />
      {isFiltered && (
        <Button size="small" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Filters>
  );
}

type ListProps<Row> = {
  query: UseQueryResult<{ rows: Row[]; next: number | null }>;
  /** The cursor in the address; '': the first page. */
  after: string;
  hrefFor(changes: { after?: string }): string;
  empty: ReactNode;
  children(rows: readonly Row[]): ReactNode;
};

/** A page of a log, with the way to older entries and back. */
export function LogList<Row>({ query, after, hrefFor, empty, children }: ListProps<Row>) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = query;
  const first = after === '' ? null : hrefFor({});
  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel lines={14} />
      </LoadingShape>
    );
  if (isLoadingError) return <NotLoaded first={first} retry={refetch} />;
  const { rows, next } = data;
  if (rows.length === 0) return empty;
  return (
    <Panel>
      <div aria-busy={isPlaceholderData || undefined}>{children(rows)}</div>
      <OlderNewer newest={first} older={next === null ? null : hrefFor({ after: String(next) })} />
    </Panel>
  );
}
