import { Link } from 'react-router';
import { Badge, type Tone } from '#app/ui/badge.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { type GreetingStatus, greetingStatus, shownSpans } from '#domain/greetings/greeting-at.ts';
import { isIndianMidnight } from '#domain/greetings/india-clock.ts';
import styles from './banner-table.module.css';
import { endWords, spanWords, startWords } from './banner-values.ts';
import type { GreetingRow } from './greeting-data.ts';

type Props = {
  rows: readonly GreetingRow[];
  all: readonly GreetingRow[];
  now: number;
  hrefFor(greeting: GreetingRow): string;
};

const words: Record<GreetingStatus, readonly [label: string, tone: Tone]> = {
  draft: ['Not published', 'calm'],
  over: ['Past', 'calm'],
  now: ['Shown now', 'good'],
  covered: ['Overridden now', 'busy'],
  coming: ['Upcoming', 'busy'],
  never: ['Never shown', 'bad'],
};

export function BannerTable({ rows, all, now, hrefFor }: Props) {
  const columns: Column<GreetingRow>[] = [
    {
      key: 'title',
      title: 'Greeting',
      cell: (row) => (
        <Link className={styles.title} to={hrefFor(row)} preventScrollReset>
          {row.title}
        </Link>
      ),
    },
    { key: 'from', title: 'From', isOneLine: true, cell: ({ startsAt }) => startWords(startsAt) },
    {
      key: 'to',
      title: 'Until',
      isOneLine: true,
      cell: ({ endsAt }) => (isIndianMidnight(endsAt) ? `end of ${endWords(endsAt)}` : endWords(endsAt)),
    },
    { key: 'shown', title: 'Shown', cell: (row) => <Shown row={row} all={all} now={now} />, hideOnPhone: true },
    { key: 'priority', title: 'Priority', align: 'end', cell: ({ priority }) => priority },
    {
      key: 'fireworks',
      title: 'Fireworks',
      cell: ({ hasFireworks }) => (hasFireworks ? 'Yes' : '—'),
      hideOnPhone: true,
      hideOnTablet: true,
    },
    {
      key: 'state',
      title: 'Status',
      cell: (row) => {
        const [label, tone] = words[greetingStatus(row, all, now)];
        return <Badge tone={tone}>{label}</Badge>;
      },
    },
  ];
  return (
    <DataTable<GreetingRow>
      caption="Greetings"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      rowLabel={({ title }) => title}
      empty={<EmptyState title="No upcoming greetings." text="The shop shows no banner without one." />}
    />
  );
}

/** The next time it is the one, and how often after that. */
function Shown({ row, all, now }: { row: GreetingRow; all: readonly GreetingRow[]; now: number }) {
  const left = row.isPublished ? shownSpans(row, all).filter(({ to }) => to > now) : [];
  const [next] = left;
  if (!next) return <span className={styles.quiet}>–</span>;
  const isWhole = left.length === 1 && next.from === row.startsAt && next.to === row.endsAt;
  if (isWhole) return <span className={styles.quiet}>all the time</span>;
  return (
    <span>
      {spanWords(next)}
      {left.length > 1 && <span className={styles.quiet}> and {left.length - 1} more</span>}
    </span>
  );
}
