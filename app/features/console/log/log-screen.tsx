import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { href } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { OlderNewer } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { ConsolePage } from '../frame/console-page.tsx';
import { DayChoice, Filters } from '../list/list-filters.tsx';
import { NotLoaded } from '../list/not-loaded.tsx';
import { isFiltered, type LogAddress } from './log-address.ts';

const logs = [
  { name: 'changes', to: href('/admin/log'), title: 'Changes' },
  { name: 'security', to: href('/admin/log/security'), title: 'Logins and access' },
] as const;

type Words = { title: string; text: string };

export type LogScreenProps<Row> = {
  log: (typeof logs)[number]['name'];
  title: string;
  state: LogAddress;
  set(days: { from?: string; to?: string }): void;
  clear(): void;
  hrefFor(changes: { after?: string }): string;
  /** Its filters beside the days. */
  filters: ReactNode;
  /** Its choices could not be read, so neither can its entries. */
  isFailed?: boolean;
  query: UseQueryResult<{ rows: Row[]; next: number | null }>;
  none: Words;
  noMatch: Words;
  children(rows: readonly Row[]): ReactNode;
};

/** A log: its filters, and a page of its entries with the way to older ones and back. */
export function LogScreen<Row>(props: LogScreenProps<Row>) {
  const { log, title, state, set, clear, filters } = props;
  return (
    <ConsolePage title={title}>
      <Tabs label="Logs" items={logs.map(({ name, ...tab }) => ({ ...tab, isOpen: name === log }))} />
      <Filters>
        {filters}
        <DayChoice label="From" value={state.from} onChange={(from) => set({ from })} />
        <DayChoice label="Until" value={state.to} onChange={(to) => set({ to })} />
        {isFiltered(state) && (
          <Button size="small" onClick={clear}>
            Clear filters
          </Button>
        )}
      </Filters>
      {props.isFailed ? <NotLoaded first={null} retry={() => window.location.reload()} /> : <LogList {...props} />}
    </ConsolePage>
  );
}

function LogList<Row>({ query, state, hrefFor, none, noMatch, children }: LogScreenProps<Row>) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = query;
  const first = state.after === '' ? null : hrefFor({});
  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel lines={14} />
      </LoadingShape>
    );
  if (isLoadingError) return <NotLoaded first={first} retry={refetch} />;
  const { rows, next } = data;
  if (rows.length === 0) return <EmptyState {...(isFiltered(state) ? noMatch : none)} />;
  return (
    <Panel>
      <div aria-busy={isPlaceholderData || undefined}>{children(rows)}</div>
      <OlderNewer newest={first} older={next === null ? null : hrefFor({ after: String(next) })} />
    </Panel>
  );
}
