import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { ordersInWords, statusWords, undoWords } from '#app/features/console/order-status/order-words.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import type { OrderRow } from '#contracts/console/orders.ts';
import { movesOfMany } from '#domain/orders/quick-moves.ts';
import { emailedStatuses } from '#domain/orders/status.ts';
import { DownloadButton } from '../../list/download-button.tsx';
import { SelectionBar } from '../../list/selection-bar.tsx';
import styles from './bulk-bar.module.css';

import type { Plan } from './use-moves.ts';

const leftOutInWords = (count: number) =>
  `${ordersInWords(count)} ${count === 1 ? 'has' : 'have'} no invoice and ${count === 1 ? 'is' : 'are'} not in the file.`;

type BulkBarProps = {
  chosen: readonly OrderRow[];
  /** How many of them the list does not show. */
  hidden: number;
  /** For a minute after a move. */
  undo?: ReactNode;
  onAsk(plan: Plan): void;
  onClear(): void;
};

export function BulkBar({ chosen, hidden, undo, onAsk, onClear }: BulkBarProps) {
  const moves = movesOfMany(chosen);
  const gifts = chosen.filter(({ is_gift }) => is_gift);
  const printed = `${href('/admin/orders/print')}?ids=${chosen.map(({ id }) => id).join(',')}`;
  return (
    <SelectionBar things="orders" count={chosen.length} hidden={hidden} onClear={onClear} beside={undo}>
      {moves.map(({ to, orders }) => (
        <Button
          key={to}
          size="small"
          onClick={() => onAsk({ to, orders, others: chosen.filter((order) => !orders.includes(order)) })}
        >
          {statusWords[to].shortMove} {orders.length}
        </Button>
      ))}
      <ButtonLink size="small" to={printed}>
        Print
      </ButtonLink>
      {gifts.length > 0 && (
        <ButtonLink size="small" to={`${printed}&doc=card`}>
          Gift cards {gifts.length}
        </ButtonLink>
      )}
      <DownloadButton
        request={`invoice?orders=${chosen.map(({ id }) => id).join(',')}`}
        fileName="invoices.zip"
        sayLeftOut={leftOutInWords}
      >
        Download invoices
      </DownloadButton>
    </SelectionBar>
  );
}

type MoveDialogProps = { plan: Plan | null; onConfirm(): Promise<unknown>; onClose(): void };

/** Says exactly what is about to happen, and whether it can be undone. */
export function MoveDialog({ plan, onConfirm, onClose }: MoveDialogProps) {
  const question = plan ? statusWords[plan.to].question(nameOf(plan.orders)) : '';
  return (
    <ConfirmDialog
      open={plan !== null}
      title={question}
      text={plan && <Consequences plan={plan} />}
      confirmLabel={question.replace('?', '')}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}

const nameOf = (orders: readonly OrderRow[]) =>
  orders.length === 1 ? `order ${orders[0]?.number}` : ordersInWords(orders.length);

function Consequences({ plan: { to, orders, others } }: { plan: Plan }) {
  return (
    <div className={styles.consequences}>
      {orders.length > 1 && <p>{orders.map(({ number }) => number).join(', ')}</p>}
      <p>
        {emailedStatuses.includes(to) && 'Customers with an account get an email after a minute. '}
        {undoWords(to)}
      </p>
      {to === 'Shipped' && (
        <p>To add courier and tracking number, ship {orders.length === 1 ? 'it' : 'each order'} from its own page.</p>
      )}
      {others.length > 0 && (
        <p>
          {others.length === 1 ? '1 selected order won’t change' : `${others.length} selected orders won’t change`}:{' '}
          {others.map(({ number, status }) => `${number} (${statusWords[status].title})`).join(', ')}
        </p>
      )}
    </div>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();

/** Orders that were not moved, one by one. Has the focus: the button that was pressed may be at the end of a long list. */
export function Refusals({ refusals, onClose }: { refusals: { id: string; reason: string }[]; onClose(): void }) {
  return (
    <div ref={focus} className={styles.refusals} role="alert" tabIndex={-1}>
      <p>
        {refusals.length === 1 ? '1 order was not updated:' : `${ordersInWords(refusals.length)} were not updated:`}
      </p>
      <ul>
        {refusals.map(({ id, reason }) => (
          <li key={id}>
            <Link to={href('/admin/orders/:id', { id })}>{reason}</Link>
          </li>
        ))}
      </ul>
      <Button size="small" onClick={onClose}>
        OK
      </Button>
    </div>
  );
}
