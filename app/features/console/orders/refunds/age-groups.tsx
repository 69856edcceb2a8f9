import { Link } from 'react-router';
import type { RefundGroups } from '#contracts/console/refunds.ts';
import { formatPaise } from '#domain/money.ts';
import { cappedCount } from '../../data/todo-counts.ts';
import type { RefundState } from './list-state.ts';
import styles from './refunds-page.module.css';

type AgeGroupsProps = {
  groups: RefundGroups;
  age: RefundState['age'];
  hrefFor(changes: Partial<RefundState>): string;
};

const titles = { overdue: 'Overdue', soon: 'Due within 2 days', 'in-time': 'Due later' } as const;

/** How much is open by its age; each leads to its refunds. */
export function AgeGroups({ groups, age, hrefFor }: AgeGroupsProps) {
  const shown = Object.entries(groups).map(([key, sum]) => ({ key: key as keyof RefundGroups, ...sum }));
  const all = {
    key: '' as const,
    count: shown.reduce((total, { count }) => total + count, 0),
    paise: shown.reduce((total, { paise }) => total + paise, 0),
  };
  return (
    <ul className={styles.groups} aria-label="Refunds by age">
      {[all, ...shown].map(({ key, count, paise }) => (
        <li key={key}>
          <Link
            to={hrefFor({ age: key })}
            replace
            preventScrollReset
            aria-current={age === key ? 'true' : undefined}
            data-urgent={(key === 'overdue' && count > 0) || undefined}
          >
            <span>{key === '' ? 'All open' : titles[key]}</span>
            <b>{formatPaise(paise)}</b>
            <small>
              {cappedCount(count)} {count === 1 ? 'refund' : 'refunds'}
            </small>
          </Link>
        </li>
      ))}
    </ul>
  );
}
