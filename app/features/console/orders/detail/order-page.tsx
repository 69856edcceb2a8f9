import { useRef, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Order, readOrder } from '#contracts/console/order.ts';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { statusWords } from '../../order-status/order-words.ts';
import { PaymentChip } from '../../order-status/payment-chip.tsx';
import { StatusChip } from '../../order-status/status-chip.tsx';
import { UndoMoves } from '../../order-status/undo-moves.tsx';
import { AddressForm } from '../address-form.tsx';
import { isOrderId } from '../order-id.ts';
import { dialogTitleId } from './action-dialog.tsx';
import { CancelForm, RefundForm } from './money-forms.tsx';
import { MoveForm, PaidForm, TrackingForm } from './move-form.tsx';
import { OrderDocuments } from './order-documents.tsx';
import type { ActOnOrder, Asked, OrderFormProps } from './order-forms.ts';
import { OrderGift } from './order-gift.tsx';
import { OrderLines } from './order-lines.tsx';
import { CustomerLink } from './order-link.tsx';
import { OrderMails } from './order-mails.tsx';
import { OrderMoney } from './order-money.tsx';
import { OrderNotes } from './order-notes.tsx';
import styles from './order-page.module.css';
import { OrderPeople } from './order-people.tsx';
import { OrderProgress, OrderTimeline } from './order-progress.tsx';
import { ResendForm } from './resend-form.tsx';
import { useOrderChanges } from './use-order-changes.ts';

/** What is being asked in the dialog. */
const back = { to: href('/admin/orders'), label: 'Orders' };

export function OrderPage({ orderId }: { orderId: string }) {
  const isKnown = isOrderId(orderId);
  const { data, isLoadingError, refetch, isPlaceholderData } = useShopQuery(
    readOrder,
    isKnown ? { order_id: orderId } : null,
  );
  useOrderChanges(isKnown ? orderId : null, refetch);

  if (!isKnown || data === null)
    return (
      <ConsolePage title="Order not found" back={back}>
        <EmptyState
          title="We can’t find this order."
          text="The link may be incomplete. Search for the order by number, name or phone."
        />
      </ConsolePage>
    );
  // An answer about another order is shown until this one's comes; it must not be worked on.
  if (data && data.id === orderId.toLowerCase())
    return <OneOrder order={data} reload={refetch} isStale={isPlaceholderData} />;
  return (
    <ConsolePage title="Order" back={back}>
      {isLoadingError ? <FailedState retry={refetch} /> : <LoadingOrder />}
    </ConsolePage>
  );
}

function LoadingOrder() {
  return (
    <LoadingShape className={styles.order}>
      <div className={styles.main}>
        <BlankPanel title="Progress" lines={3} />
        <BlankPanel title="Items" lines={5} />
      </div>
      <div className={styles.side}>
        <BlankPanel lines={4} />
        <BlankPanel title="Payment" lines={4} />
        <BlankPanel title="Documents" lines={2} />
      </div>
    </LoadingShape>
  );
}

function OneOrder({ order, reload, isStale }: { order: Order; reload(): void; isStale: boolean }) {
  const { act } = useRequests();
  const navigate = useNavigate();
  // What was seen when the question was asked: what happens behind an open dialog must not slip by. null: look again.
  const [question, setQuestion] = useState<{ asked: Asked; seen: string | null } | null>(null);
  // Our own change is known before the page has been read again.
  const own = useRef({ before: '', after: '' });
  const latest = () => (order.updated_at === own.current.before ? own.current.after : order.updated_at);
  const ask = (asked: Asked) => setQuestion({ asked, seen: latest() });
  const close = () => setQuestion(null);
  const asked = question?.asked ?? null;
  const slip = `${href('/admin/orders/print')}?doc=slip&ids=${order.id}`;
  const label = `${href('/admin/orders/print')}?doc=label&ids=${order.id}`;
  useShortcut('p', 'Packing slip', () => void navigate(slip));
  useShortcut('l', 'Address label', () => void navigate(label));

  const actOnOrder: ActOnOrder = async (contract, argsFor) => {
    const seen = question?.seen ?? latest();
    const outcome = await act(contract, argsFor({ order_id: order.id, seen }));
    if (outcome.ok) own.current = { before: order.updated_at, after: outcome.value.updated_at ?? order.updated_at };
    if (!outcome.ok && outcome.reason === 'stale') {
      // Warns once and shows the current order; saving again is then deliberate.
      setQuestion((open) => open && { ...open, seen: null });
      reload();
    }
    return outcome;
  };
  const forms: OrderFormProps = {
    order,
    act: actOnOrder,
    onDone(message) {
      toast('success', message);
      reload();
      close();
    },
    onClose: close,
  };

  return (
    <ConsolePage
      title={`Order ${order.number}`}
      back={back}
      actions={
        <>
          <ButtonLink size="small" to={slip}>
            Packing slip
          </ButtonLink>
          {order.fulfilment === 'delivery' && (
            <ButtonLink size="small" to={label}>
              Address label
            </ButtonLink>
          )}
        </>
      }
    >
      <p className={styles.state}>
        <StatusChip status={order.status} />
        <PaymentChip status={order.status} payment={order.payment_status} />
        {order.gift && <Badge>Gift</Badge>}
        {order.group && (
          <Link to={href('/admin/orders/group/:id', { id: order.group.id })}>
            Group order: {order.group.place} of {order.group.recipients}
          </Link>
        )}
      </p>
      <div className={styles.order} aria-busy={isStale || undefined}>
        <div className={styles.main}>
          <OrderProgress
            order={order}
            ask={ask}
            undo={
              order.undo && (
                <UndoMoves
                  key={`${order.updated_at} ${order.undo.seconds_left}`}
                  moves={[{ id: order.id, seen: latest() }]}
                  text={`The order is ${statusWords[order.status].done}.`}
                  seconds={order.undo.seconds_left}
                  onEnd={reload}
                />
              )
            }
          />
          <OrderLines order={order} />
          <div className={styles.later}>
            <OrderTimeline order={order} />
          </div>
        </div>
        <div className={styles.side}>
          {order.gift && <OrderGift order={order} gift={order.gift} />}
          <OrderPeople order={order} ask={ask} />
          <OrderMoney order={order} ask={ask} act={actOnOrder} onDone={forms.onDone} />
          <OrderDocuments order={order} />
          <OrderNotes orderId={order.id} notes={order.notes} reload={reload} />
          <div className={styles.later}>
            <OrderMails order={order} reload={reload} />
            <CustomerLink order={order} />
          </div>
        </div>
      </div>
      <FormDialog open={asked !== null} onClose={close} labelledBy={dialogTitleId}>
        {asked === 'cancel' && <CancelForm {...forms} />}
        {asked === 'refund' && <RefundForm {...forms} />}
        {asked === 'paid' && <PaidForm {...forms} />}
        {asked === 'address' && <AddressForm {...forms} />}
        {asked === 'tracking' && <TrackingForm {...forms} />}
        {asked === 'resend' && <ResendForm {...forms} />}
        {asked !== null && typeof asked === 'object' && <MoveForm {...forms} to={asked.to} />}
      </FormDialog>
    </ConsolePage>
  );
}
