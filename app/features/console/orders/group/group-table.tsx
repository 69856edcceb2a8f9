import { useMemo, useRef } from 'react';
import { href, Link } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable, type DataTableProps } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import type { GroupMember } from '#contracts/console/groups.ts';
import { isFinished } from '#domain/orders/status.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { StatusChip } from '../../order-status/status-chip.tsx';
import styles from './group-page.module.css';

export type GroupTableProps = {
  members: readonly GroupMember[];
  query: string;
  onQuery(query: string): void;
  selection: NonNullable<DataTableProps<GroupMember>['selection']>;
  onSelectAll(): void;
  /** A parcel that came back. */
  onResend(member: GroupMember): void;
  /** Without search and filter. */
  clear: string;
};

/** The recipients of a group, in the order of the customer's list. */
export function GroupTable(props: GroupTableProps) {
  const { members, query, onQuery, selection, onSelectAll, onResend, clear } = props;
  const latest = useRef(onResend);
  latest.current = onResend;
  const hasReturned = members.some(({ status }) => status === 'Undelivered');
  const columns = useMemo(
    () => columnsWith((member) => latest.current(member)).filter(({ key }) => key !== 'next' || hasReturned),
    [hasReturned],
  );
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label="Search recipients"
          placeholder="Name, phone, city or order"
          value={query}
          onSearch={onQuery}
        />
        {members.length > 0 && (
          <Button size="small" onClick={onSelectAll}>
            Select all {members.length}
          </Button>
        )}
      </div>
      <div className={styles.table}>
        <DataTable
          caption="Recipients"
          columns={columns}
          rows={members}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          selection={selection}
          empty={
            <EmptyState
              title="No matching recipients."
              text="Try fewer letters or another status."
              action={
                <ButtonLink size="small" to={clear} replace>
                  Show all recipients
                </ButtonLink>
              }
            />
          }
        />
      </div>
    </>
  );
}

const columnsWith = (onResend: GroupTableProps['onResend']): Column<GroupMember>[] => [
  {
    key: 'place',
    title: 'No.',
    cell: ({ place }) => place,
    align: 'end',
    hideOnPhone: true,
  },
  {
    key: 'recipient',
    title: 'Recipient',
    cell: ({ name, phone }) => (
      <div>
        <span className={styles.name}>{name}</span>
        <small>{phone}</small>
      </div>
    ),
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ id, number }) => <Link to={href('/admin/orders/:id', { id })}>{number}</Link>,
  },
  {
    key: 'place-of',
    title: 'Address',
    cell: ({ delivery }) => (
      <div>
        {[delivery.building_no, delivery.street].filter(Boolean).join(', ')}
        <small>
          {delivery.city} {delivery.zip}
        </small>
      </div>
    ),
  },
  { key: 'items', title: 'Items', cell: ({ items }) => items, hideOnTablet: true },
  {
    key: 'day',
    title: 'Due',
    cell: ({ deliver_on, delivery_by, status, missed_day }) => (
      <>
        {!isFinished(status) && (deliver_on ?? delivery_by) && (
          <span className={styles.day}>
            {deliver_on ? 'on ' : 'by '}
            {formatCalendarDay(deliver_on ?? delivery_by ?? '')}
          </span>
        )}
        {missed_day && !isFinished(status) && <small className={styles.missed}>chosen day missed</small>}
      </>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    cell: (member) => (
      <div>
        <StatusChip status={member.status} />
        <Tracking member={member} />
      </div>
    ),
  },
  {
    key: 'next',
    title: 'Next step',
    cell: (member) =>
      member.status === 'Undelivered' && (
        <Button
          size="small"
          aria-haspopup="dialog"
          aria-label={`Send again: ${member.name}`}
          onClick={() => onResend(member)}
        >
          Send again
        </Button>
      ),
  },
];

function Tracking({ member: { courier, tracking_number, tracking_url } }: { member: GroupMember }) {
  const words = [courier, tracking_number].filter(Boolean).join(' ');
  if (!words && !tracking_url) return null;
  return (
    <small>
      {tracking_url ? (
        <a href={tracking_url} target="_blank" rel="noreferrer">
          {words || 'Track'}
        </a>
      ) : (
        words
      )}
    </small>
  );
}
