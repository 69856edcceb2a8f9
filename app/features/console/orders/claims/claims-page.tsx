import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { type ClaimRow, listClaims } from '#contracts/console/claims.ts';
import { z } from '#contracts/z.ts';
import { problemLabels } from '#domain/claims/claim.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { NotLoaded } from '../../list/not-loaded.tsx';
import { useUrlState } from '../../list/url-state.ts';
import { moment } from '../order-words.ts';
import { nextStep } from './claim-words.ts';
import styles from './claims-page.module.css';

const ListState = z.object({ show: z.enum(['open', 'decided']).catch('open'), after: z.string().max(400).catch('') });

const columns: readonly Column<ClaimRow>[] = [
  {
    key: 'ticket',
    title: 'Claim',
    isOneLine: true,
    cell: ({ id, ticket }) => <Link to={href('/admin/orders/claims/:id', { id })}>{ticket}</Link>,
  },
  {
    key: 'next',
    title: 'Next',
    cell(row) {
      const { word, due, tone } = nextStep(row, new Date());
      return (
        <span className={styles.next}>
          <Badge tone={tone}>{word}</Badge>
          {due && <span data-overdue={row.is_overdue || undefined}>{due}</span>}
        </span>
      );
    },
  },
  {
    key: 'what',
    title: 'Problem',
    cell: ({ items, problems, photos, is_unanswered }) => (
      <span className={styles.cell}>
        {items}
        <small className={styles.more}>
          {[
            problems.map((problem) => problemLabels[problem]).join(', '),
            photos > 0 && `${photos} ${photos === 1 ? 'photo' : 'photos'}`,
            is_unanswered && 'waiting for an answer',
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
    ),
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ order_id, order_number, customer }) => (
      <span className={styles.cell}>
        <Link to={href('/admin/orders/:id', { id: order_id })}>{order_number}</Link>
        <small className={styles.more}>{customer}</small>
      </span>
    ),
  },
  {
    key: 'opened',
    title: 'Received',
    hideOnTablet: true,
    isOneLine: true,
    cell: ({ opened_at }) => moment(opened_at),
  },
];

/** Claims by what is due first: what is overdue stands at the top and says so. */
export function ClaimsPage() {
  const [{ show, after }, , hrefFor] = useUrlState(ListState);
  return (
    <ConsolePage title="Claims" back={{ to: href('/admin/orders'), label: 'Orders' }}>
      <Tabs
        label="Claims"
        items={[
          { to: hrefFor({ show: 'open' }), title: 'Open', isOpen: show === 'open' },
          { to: hrefFor({ show: 'decided' }), title: 'Decided', isOpen: show === 'decided' },
        ]}
      />
      <List show={show} after={after} hrefFor={hrefFor} />
    </ConsolePage>
  );
}

type ListProps = { show: 'open' | 'decided'; after: string; hrefFor(changes: { after: string }): string };

function List({ show, after, hrefFor }: ListProps) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listClaims, {
    shown: show,
    after: after || null,
  });
  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel lines={6} />
      </LoadingShape>
    );
  if (isLoadingError) return <NotLoaded first={after ? hrefFor({ after: '' }) : null} retry={refetch} />;
  return (
    <>
      <DataTable
        caption="Claims"
        columns={columns}
        rows={data.rows}
        rowKey={({ id }) => id}
        isStale={isPlaceholderData}
        empty={
          show === 'open' ? (
            <EmptyState
              title="No open claims."
              text="When a customer reports a problem with an order, it appears here."
            />
          ) : (
            <EmptyState title="Nothing decided yet." text="Claims stay here after their decision." />
          )
        }
      />
      {(after || data.next) && (
        <nav className={styles.pages} aria-label="Pages">
          {after && (
            <ButtonLink size="small" to={hrefFor({ after: '' })}>
              First page
            </ButtonLink>
          )}
          {data.next && (
            <ButtonLink size="small" to={hrefFor({ after: data.next })} rel="next">
              Next page
            </ButtonLink>
          )}
        </nav>
      )}
    </>
  );
}
