import { type ReactNode, useState } from 'react';
import { href } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Facts, Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Order, Refund } from '#contracts/console/order.ts';
import { retryRefund } from '#contracts/console/refunds.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { methodWords, moment, offlineWords, refundReason, refundWords } from '../order-words.ts';
import type { ActOnOrder, Asked } from './order-forms.ts';
import styles from './order-money.module.css';

type OrderMoneyProps = { order: Order; ask(asked: Asked): void; act: ActOnOrder; onDone(message: string): void };

/** What was paid and how, and what went back. */
export function OrderMoney({ order, ask, act, onDone }: OrderMoneyProps) {
  const { money, refunds } = order;
  const canRefund = money.refundable_paise > 0;
  const canPay =
    order.source === 'manual' && order.payment_status === 'unpaid' && !['canceled', 'Refunded'].includes(order.status);
  useShortcut('r', 'Refund', () => canRefund && ask('refund'));

  async function retry(refund: Refund) {
    const outcome = await act(retryRefund, (seen) => ({ ...seen, refund_id: refund.id }));
    if (outcome.ok) onDone('Trying the refund again.');
    else toast('error', outcome.message);
  }

  return (
    <Panel
      title="Payment"
      actions={
        <>
          {canPay && (
            <Button size="small" aria-haspopup="dialog" onClick={() => ask('paid')}>
              Mark as paid
            </Button>
          )}
          {canRefund && (
            <Button size="small" aria-haspopup="dialog" onClick={() => ask('refund')}>
              Refund
            </Button>
          )}
        </>
      }
    >
      <Facts items={factsOf(order)} />
      {order.status === 'canceled' && canRefund && order.payment === null && (
        <p className={styles.owed}>{formatPaise(money.refundable_paise)} still has to be paid back offline.</p>
      )}
      {refunds.length > 0 && (
        <ul className={styles.refunds} aria-label="Refunds">
          {refunds.map((refund) => (
            <li key={refund.id}>
              <p className={styles.amount}>
                <strong>{formatPaise(refund.amount_paise)}</strong>
                <Badge tone={refundWords[refund.status].tone}>
                  {refund.is_by_hand ? 'Refunded offline' : refundWords[refund.status].title}
                </Badge>
              </p>
              <p>{refundReason(refund)}</p>
              <p className={styles.when}>
                {refund.asked_by ?? 'Automatic'} · {moment(refund.processed_at ?? refund.created_at)}
              </p>
              {linesOf(refund).map((line) => (
                <p key={line} className={styles.when}>
                  {line}
                </p>
              ))}
              {refund.can_retry && (
                <div className={styles.steps}>
                  <RetryButton onClick={() => retry(refund)} />
                  <ButtonLink size="small" to={`${href('/admin/orders/refunds')}?state=to-decide`}>
                    Pay back by hand
                  </ButtonLink>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** By when it is due, how it was sent or why it failed, and what happens next. */
function linesOf(refund: Refund): string[] {
  const { status, due_on, is_finished, method, paid_on, failure, next_try_at, reference, provider_refund_id } = refund;
  return [
    is_finished ? null : `Due on ${formatCalendarDay(due_on)}`,
    method ? `Paid back by ${offlineWords[method]}${paid_on ? ` on ${formatCalendarDay(paid_on)}` : ''}` : null,
    status === 'failed' ? failure || 'The bank gave no reason' : null,
    status === 'queued' && next_try_at && isLater(next_try_at) ? `Next attempt ${moment(next_try_at)}` : null,
    reference ? `Reference ${reference}` : null,
    provider_refund_id,
  ].filter((line) => line !== null);
}

function RetryButton({ onClick }: { onClick(): Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      isBusy={busy}
      onClick={async () => {
        if (busy) return;
        setBusy(true);
        await onClick();
        setBusy(false);
      }}
    >
      Retry now
    </Button>
  );
}

/** A minute from now at least: what is due any moment needs no telling. */
const isLater = (text: string) => Date.parse(text) > Date.now() + 60_000;

function factsOf({ money, payment, total_paise, offline_method, group }: Order): [string, ReactNode][] {
  if (money.paid_paise === 0) return [['Amount due', <strong key="due">{formatPaise(total_paise)}</strong>]];
  const facts: [string, ReactNode][] = [['Paid', <strong key="paid">{formatPaise(money.paid_paise)}</strong>]];
  if (payment) {
    facts.push(['Paid by', methodWords(payment.method)]);
    if (payment.captured_at) facts.push(['Paid on', moment(payment.captured_at)]);
    const fee = group ? `Gateway fee for all ${group.recipients}` : 'Gateway fee';
    facts.push([fee, payment.fee_paise === null ? 'unknown' : formatPaise(payment.fee_paise)]);
    facts.push(['Payment ID', <code key="id">{payment.payment_id}</code>]);
    facts.push(['Gateway order ID', <code key="order">{payment.provider_order_id}</code>]);
  } else facts.push(['Paid by', offline_method ? `${offlineWords[offline_method]} (offline)` : 'Offline']);
  if (money.refunded_paise > 0) facts.push(['Refunded', formatPaise(money.refunded_paise)]);
  if (money.under_way_paise > 0) facts.push(['Refund in progress', formatPaise(money.under_way_paise)]);
  return facts;
}
