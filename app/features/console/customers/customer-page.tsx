import { useState } from 'react';
import { href } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, BlankTiles, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { type Customer, readCustomer } from '#contracts/console/customers.ts';
import { z } from '#contracts/z.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { BlockDialog } from './block-dialog.tsx';

import styles from './customer-page.module.css';
import { EraseDialog } from './erase-dialog.tsx';
import { ContactPanel, FavouritesPanel, FiguresPanel, WaitingPanel } from './facts-panels.tsx';
import { LogOutDialog } from './log-out-dialog.tsx';
import { LogPanel } from './log-panel.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import { RecordPanel } from './record-panel.tsx';
import { ReviewsPanel } from './reviews-panel.tsx';
import { daySaid } from './words.ts';

const back = { to: href('/admin/customers'), label: 'Customers' };

/** Everything the shop knows of one customer. */
export function CustomerPage({ id }: { id: string }) {
  const isId = z.uuid().safeParse(id).success;
  const { data, isLoadingError, refetch } = useShopQuery(readCustomer, isId ? { customer_id: id } : null);
  if (!isId || data === null) return <NoCustomer />;
  if (data?.id === id) return <Known customer={data} reload={refetch} />;
  return (
    <ConsolePage title="Customer" back={back}>
      {isLoadingError ? <FailedState retry={refetch} /> : <LoadingCustomer />}
    </ConsolePage>
  );
}

function NoCustomer() {
  return (
    <ConsolePage title="Customer" back={back}>
      <EmptyState
        title="Customer not found."
        text="They may have been erased, or the link may be wrong."
        action={
          <ButtonLink size="small" to={back.to}>
            All customers
          </ButtonLink>
        }
      />
    </ConsolePage>
  );
}

function Known({ customer, reload }: { customer: Customer; reload(): void }) {
  const [asked, setAsked] = useState<'block' | 'erase' | 'log-out' | null>(null);
  // Changes that the customer's own record does not tell of: the log is read again for them too.
  const [hidings, setHidings] = useState(0);
  const isBlocked = customer.blocked_at !== null;
  const actions = (
    <>
      <Button size="small" onClick={() => setAsked('log-out')}>
        Log out everywhere…
      </Button>
      {!customer.is_administrator && (
        <>
          <Button size="small" onClick={() => setAsked('block')}>
            {isBlocked ? 'Unblock' : 'Block'}
          </Button>
          <Button size="small" onClick={() => setAsked('erase')}>
            Erase…
          </Button>
        </>
      )}
    </>
  );
  return (
    <ConsolePage title={customer.name} back={back} actions={actions}>
      {customer.is_administrator && (
        <p className={styles.standing}>
          <Badge tone="busy">Administrator</Badge> They can’t be blocked or erased.
        </p>
      )}
      {isBlocked && (
        <p className={styles.standing}>
          <Badge tone="bad">Blocked</Badge> Since {daySaid(customer.blocked_at ?? '')}: {customer.blocked_reason}
        </p>
      )}
      <FiguresPanel customer={customer} />
      <div className={styles.columns}>
        <div>
          <ContactPanel customer={customer} />
          <RecordPanel key={JSON.stringify([customer.notes, customer.tags])} customer={customer} onSaved={reload} />
          <FavouritesPanel customer={customer} />
          <WaitingPanel customer={customer} />
          <LogPanel key={`${customer.seen} ${hidings}`} customerId={customer.id} />
        </div>
        <div>
          <OrdersPanel customerId={customer.id} />
          <ReviewsPanel customerId={customer.id} onChanged={() => setHidings((count) => count + 1)} />
        </div>
      </div>
      <BlockDialog
        key={`block ${customer.seen}`}
        customer={customer}
        open={asked === 'block'}
        onClose={() => setAsked(null)}
        onDone={reload}
      />
      <LogOutDialog customer={customer} open={asked === 'log-out'} onClose={() => setAsked(null)} />
      <EraseDialog customer={customer} open={asked === 'erase'} onClose={() => setAsked(null)} />
    </ConsolePage>
  );
}

function LoadingCustomer() {
  return (
    <LoadingShape>
      <BlankTiles count={5} />
      <div className={styles.columns}>
        <div>
          <BlankPanel title="Contact" lines={4} />
          <BlankPanel title="Notes and tags" fields={2} />
        </div>
        <div>
          <BlankPanel title="Orders" lines={6} />
        </div>
      </div>
    </LoadingShape>
  );
}
