import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { formatPaise } from '#domain/money.ts';
import { formatDay } from '#domain/time.ts';
import type { OrderToCancel } from './cancel-dialog.tsx';
import styles from './order-entry.module.css';
import { type PastGroup, type PastOrder, statusClass, statusTone } from './order-history.ts';

// With the first group that is opened.
const GroupRecipients = lazy(() => import('./group-recipients.tsx'));

export type GroupEntryProps = {
  /** The order of the first recipient, which stands for all of them. */
  order: PastOrder;
  group: PastGroup;
  onCancel(order: OrderToCancel): void;
  /** Reporting a problem with the parcel of one recipient. */
  claims?: ((orderId: string) => ReactNode) | undefined;
};

/** Many recipients, one payment: one entry, which opens into its recipients. */
export function GroupEntry({ order, group, onCancel, claims }: GroupEntryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.order} id={`order-${order.id}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.id}>
          {group.recipients === 1 ? '1 recipient' : `${group.recipients} recipients`}
          {order.number !== null && (
            <span className={styles.number}>
              {' '}
              #{order.number}
              {group.recipients > 1 && ` and ${group.recipients - 1} more`}
            </span>
          )}
        </span>
        <span className={styles.day}>
          {order.placedAt && <time dateTime={order.placedAt.toISOString()}>{formatDay(order.placedAt)}</time>}
        </span>
        <Badge
          tone={statusTone(commonStatus(group))}
          className={`${styles.status} ${statusClass(commonStatus(group))}`}
        >
          {commonStatus(group)}
        </Badge>
        <span className={styles.total}>{formatPaise(group.totalPaise)}</span>
        <span className={styles.standing}>{standingOfGroup(group)}</span>
      </summary>
      <div className={styles.group}>
        <p className={styles.actions}>
          <ButtonLink size="small" to={`/gifts/group?again=${group.id}`}>
            Send this list again
          </ButtonLink>
        </p>
        {isOpen && (
          <Suspense fallback={<Skeleton />}>
            {/* What is read again with the history is read again here. */}
            <GroupRecipients groupId={group.id} version={order} onCancel={onCancel} claims={claims} />
          </Suspense>
        )}
      </div>
    </details>
  );
}

/** The status that most of them have. */
function commonStatus({ statuses }: PastGroup): string {
  return statuses.reduce<[string, number]>((most, one) => (one[1] > most[1] ? one : most), ['Pending', 0])[0];
}

function standingOfGroup({ statuses }: PastGroup): string {
  const word = (status: string) => (status === 'canceled' ? 'cancelled' : status.toLowerCase());
  return statuses.map(([status, orders]) => `${orders} ${word(status)}`).join(' · ');
}
