import type { ReactNode } from 'react';
import { statusWords } from '#app/features/console/order-status/order-words.ts';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { Order } from '#contracts/console/order.ts';
import { sourceTitles } from '#domain/orders/order-titles.ts';
import { isBeforePacking, nextStatuses } from '#domain/orders/status.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { moment } from '../order-words.ts';
import type { Asked } from './order-forms.ts';
import styles from './order-progress.module.css';
import { timelineOf } from './order-timeline.ts';

type ProgressProps = {
  order: Order;
  ask(asked: Asked): void;
  /** Offered for a moment after a move. */
  undo?: ReactNode;
};

/** Where the order goes next. */
export function OrderProgress({ order, ask, undo }: ProgressProps) {
  const next = nextStatuses(order, 'administrator');
  const canCancel = next.includes('canceled');
  // Becoming Refunded is what a refund of everything does; by hand only where all of it went back before.
  const isGivenBack = order.money.paid_paise > 0 && order.money.refundable_paise === 0;
  const moves = next.filter((status) => status !== 'canceled' && (status !== 'Refunded' || isGivenBack));
  const first = moves[0];
  useShortcut('m', 'Update order status', () => first && ask({ to: first }));
  const canTrack = order.fulfilment === 'delivery' && ['Shipped', 'Undelivered', 'Delivered'].includes(order.status);
  // What was sent stays told, whatever became of the order afterwards.
  const wasSent = Boolean(order.courier || order.tracking_number || order.tracking_url);

  return (
    <Panel title="Progress">
      {undo}
      {(moves.length > 0 || canCancel) && (
        <div className={styles.moves}>
          {moves.map((to, place) => (
            <Button
              // The same button after each move: the keyboard stays on it.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={place}
              variant={place === 0 ? 'primary' : 'secondary'}
              aria-haspopup="dialog"
              onClick={() => ask({ to })}
            >
              {statusWords[to].move}
            </Button>
          ))}
          {canCancel && (
            <Button variant="outlined-danger" aria-haspopup="dialog" onClick={() => ask('cancel')}>
              Cancel order
            </Button>
          )}
        </div>
      )}
      <p className={styles.due}>
        {sourceTitles[order.source]} · {order.fulfilment === 'pickup' ? 'Pick-up at the counter' : 'Delivery'}
        {order.deliver_on
          ? ` on ${formatCalendarDay(order.deliver_on)}, the day the customer chose`
          : order.delivery_by && moves.length > 0 && ` due by ${formatCalendarDay(order.delivery_by)}`}
        {order.pack_on && isBeforePacking(order.status) && ` · Pack on ${formatCalendarDay(order.pack_on)}`}
      </p>
      {order.missed_day && (
        <p className={styles.missed} role="note">
          The payment came too late for {formatCalendarDay(order.missed_day)}, the day the customer chose. It was moved
          to the next possible day, and the customer was told by email.
        </p>
      )}
      {(canTrack || wasSent) && (
        <p className={styles.tracking}>
          <span>
            {order.courier ?? 'No courier entered'}
            {(order.tracking_number || order.tracking_url) && ' · '}
            {order.tracking_url ? (
              <a href={order.tracking_url} target="_blank" rel="noreferrer">
                {order.tracking_number ?? 'Track parcel'}
              </a>
            ) : (
              order.tracking_number
            )}
          </span>
          {canTrack && (
            <Button size="small" aria-haspopup="dialog" onClick={() => ask('tracking')}>
              Edit <span className="visually-hidden">tracking</span>
            </Button>
          )}
        </p>
      )}
    </Panel>
  );
}

/** How it got here, and who did what. */
export function OrderTimeline({ order }: { order: Order }) {
  return (
    <Panel title="History">
      <ol className={styles.timeline}>
        {timelineOf(order).map((entry) => (
          <li key={entry.key} data-status={entry.isStatus || undefined}>
            <p className={styles.title}>{entry.title}</p>
            <p className={styles.by}>
              {entry.by} · <time dateTime={entry.at}>{moment(entry.at)}</time>
            </p>
            {entry.publicNote && <p className={styles.note}>“{entry.publicNote}”</p>}
            {entry.detail && <p className={styles.detail}>{entry.detail}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
