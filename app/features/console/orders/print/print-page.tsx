import { href } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { type PrintedOrder, printOrders } from '#contracts/console/order.ts';
import { z } from '#contracts/z.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { useUrlState } from '../../list/url-state.ts';
import { isOrderId } from '../order-id.ts';
import { AddressLabel } from './address-label.tsx';
import { PackingSlip } from './packing-slip.tsx';
import styles from './print-page.module.css';

const State = z.object({
  ids: z.string().catch('').default(''),
  doc: z.enum(['slip', 'label']).catch('slip').default('slip'),
});
const most = 100;

/** Packing slips or labels of several orders, one to a page. */
export function PrintPage() {
  const [{ ids, doc }, , hrefFor] = useUrlState(State);
  const wanted = ids.split(',').filter(isOrderId).slice(0, most);
  const { data, isPending, isLoadingError, refetch } = useShopQuery(
    printOrders,
    wanted.length > 0 ? { order_ids: wanted } : null,
  );
  useShortcut('p', 'Print', () => window.print());
  const [id, ...others] = wanted;
  const back =
    id && others.length === 0
      ? { to: href('/admin/orders/:id', { id }), label: 'Order' }
      : { to: href('/admin/orders'), label: 'Orders' };
  const orders = data?.orders ?? [];
  // Pick-up orders need no label.
  const printed = doc === 'label' ? orders.filter(({ fulfilment }) => fulfilment === 'delivery') : orders;

  return (
    <ConsolePage
      title={doc === 'label' ? 'Address labels' : 'Packing slips'}
      back={back}
      actions={
        printed.length > 0 && (
          <Button variant="primary" onClick={() => window.print()}>
            Print {printed.length === 1 ? '' : `all ${printed.length}`}
          </Button>
        )
      }
    >
      <Tabs
        label="What to print"
        items={[
          { to: hrefFor({ doc: 'slip' }), title: 'Packing slips', isOpen: doc === 'slip' },
          { to: hrefFor({ doc: 'label' }), title: 'Address labels', isOpen: doc === 'label' },
        ]}
      />
      {wanted.length === 0 ? (
        <EmptyState title="Nothing to print" text="Select orders in the list first." />
      ) : isLoadingError ? (
        <FailedState retry={refetch} />
      ) : isPending ? (
        <Loading />
      ) : printed.length === 0 ? (
        <EmptyState
          title="Nothing to print"
          text={orders.length > 0 ? 'Pick-up orders need no label.' : 'These orders could not be found.'}
        />
      ) : (
        <>
          <Notes printed={printed} orders={orders} asked={wanted.length} isCut={ids.split(',').length > most} />
          <div className={doc === 'label' ? styles.labels : styles.slips}>
            {printed.map((order) =>
              doc === 'label' ? (
                <AddressLabel key={order.id} order={order} shop={data.shop} />
              ) : (
                <PackingSlip key={order.id} order={order} shop={data.shop} />
              ),
            )}
          </div>
        </>
      )}
    </ConsolePage>
  );
}

type NotesProps = { printed: PrintedOrder[]; orders: PrintedOrder[]; asked: number; isCut: boolean };

function Notes({ printed, orders, asked, isCut }: NotesProps) {
  const notes = [
    isCut && `Only the first ${most} are shown. Print the rest separately.`,
    orders.length < asked && `${asked - orders.length} could not be found.`,
    printed.length < orders.length && `${orders.length - printed.length} for pick-up, without a label.`,
  ].filter((note) => note !== false);
  return notes.length > 0 && <p className={styles.note}>{notes.join(' ')}</p>;
}
