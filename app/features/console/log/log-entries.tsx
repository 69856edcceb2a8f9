import { Link } from 'react-router';
import type { LogEntry } from '#contracts/console/log.ts';
import { type Change, describeChange } from '#domain/log/describe-change.ts';
import { DayList, EntryTime } from '../list/day-list.tsx';
import styles from './log-entries.module.css';
import { logHref } from './log-links.ts';

/** What administrators changed, day by day; newest first. */
export function LogEntries({ entries, heading = 'h3' }: { entries: readonly LogEntry[]; heading?: 'h2' | 'h3' }) {
  return (
    <DayList entries={entries} heading={heading}>
      {(entry) => <Entry key={entry.id} entry={entry} />}
    </DayList>
  );
}

function Entry({ entry }: { entry: LogEntry }) {
  const { at, actor, action, table_name, subject, subject_id, has_size, before, after } = entry;
  const described = describeChange({
    action,
    table: table_name,
    subject,
    subjectId: subject_id,
    hasSize: has_size,
    before,
    after,
  });
  return (
    <li className={styles.entry}>
      <EntryTime at={at} />
      <span className={styles.actor}>{actor}</span>
      <div className={styles.what}>
        {described.page ? (
          <Link to={logHref(described.page, subject_id)}>{described.title}</Link>
        ) : (
          <span>{described.title}</span>
        )}
        {described.changes.length > 0 && <Changes changes={described.changes} isFolded={action !== 'update'} />}
      </div>
    </li>
  );
}

/** Of what was made or deleted, all it said; that is long, so it is folded away. */
function Changes({ changes, isFolded }: { changes: readonly Change[]; isFolded: boolean }) {
  const list = (
    <ul className={styles.changes}>
      {changes.map(({ label, before, after }) => (
        <li key={label}>
          <span>{label}:</span> {before !== null && <del>{before}</del>} {before !== null && after !== null && '→ '}
          {after !== null && <ins>{after}</ins>}
          {after === null && !isFolded && <>→ empty</>}
        </li>
      ))}
    </ul>
  );
  if (!isFolded || changes.length < 5) return list;
  return (
    <details>
      <summary>Full text</summary>
      {list}
    </details>
  );
}
