import type { ReactNode } from 'react';
import { formatDay, formatTime, instantFrom } from '#domain/time.ts';
import styles from './day-list.module.css';

type Props<Entry> = {
  entries: readonly Entry[];
  heading?: 'h2' | 'h3';
  /** The list items of a day. */
  children(entry: Entry): ReactNode;
};

/** Log entries under the day on which they happened, newest first. */
export function DayList<Entry extends { at: string }>({ entries, heading: Heading = 'h2', children }: Props<Entry>) {
  const days = Map.groupBy(entries, ({ at }) => formatDay(instantFrom(at) ?? new Date(0)));
  return (
    <div className={styles.log}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <Heading>{day}</Heading>
          <ol>{ofDay.map(children)}</ol>
        </section>
      ))}
    </div>
  );
}

export function EntryTime({ at }: { at: string }) {
  const instant = instantFrom(at);
  return (
    <time className={styles.time} dateTime={at}>
      {instant && formatTime(instant)}
    </time>
  );
}
