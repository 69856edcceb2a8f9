import { useState } from 'react';
import { href, Link } from 'react-router';
import { Button, ButtonAnchor, ButtonLink } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Facts, Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { movePurchase, type Purchase } from '#contracts/console/purchases.ts';
import { canReceive, nextPurchaseStatuses, progressOf } from '#domain/purchases/status.ts';
import { formatPurchased } from '#domain/purchases/units.ts';
import { formatDate, formatDay, instantFrom } from '#domain/time.ts';
import { useRequests } from '../data/requests.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import styles from './purchase.module.css';
import { PurchaseBadge } from './purchase-list.tsx';
import { messageLink } from './purchase-message.ts';
import { PurchaseNote } from './purchase-note.tsx';
import { PurchaseTable } from './purchase-table.tsx';
import { Receipts } from './receipts.tsx';
import { ReceiveForm } from './receive-form.tsx';

export type PurchaseViewProps = { purchase: Purchase; back: { to: string; label: string }; reload(): void };

/** An order that was sent: what came of it, and what is left to do. */
export function PurchaseView({ purchase, back, reload }: PurchaseViewProps) {
  const { act } = useRequests();
  const [isReceiving, setReceiving] = useState(false);
  const [isClosing, setClosing] = useState(false);
  const progress = progressOf(
    purchase.lines.map(({ quantity, received_quantity: received }) => ({ quantity, received })),
  );
  const mayReceive = canReceive(purchase.status);
  const closeLabel = progress.hasCome ? 'Close order' : 'Cancel order';
  const whatsApp = messageLink(purchase);
  useShortcut('r', 'Receive goods', () => mayReceive && setReceiving(true));
  useShortcut('p', 'Print order', () => window.print());

  async function close() {
    const closed = await act(movePurchase, {
      purchase_id: purchase.id,
      seen: purchase.updated_at,
      to_status: 'Closed',
    });
    setClosing(false);
    toast(closed.ok ? 'success' : 'error', closed.ok ? 'Purchase order closed.' : closed.message);
    reload();
  }

  return (
    <ConsolePage
      title={`Purchase order ${purchase.id}`}
      back={back}
      actions={
        <>
          {mayReceive && !isReceiving && (
            <Button variant="primary" size="small" onClick={() => setReceiving(true)}>
              Receive goods
            </Button>
          )}
          {nextPurchaseStatuses(purchase.status).includes('Closed') && (
            <Button size="small" onClick={() => setClosing(true)}>
              {closeLabel}
            </Button>
          )}
          <ButtonLink size="small" to={`${href('/admin/purchases/new')}?again=${purchase.id}`}>
            Order again
          </ButtonLink>
          {whatsApp && (
            <ButtonAnchor size="small" href={whatsApp} target="_blank" rel="noreferrer">
              Send by WhatsApp
            </ButtonAnchor>
          )}
          <Button size="small" onClick={() => window.print()}>
            Print
          </Button>
        </>
      }
    >
      {isReceiving && mayReceive && (
        <ReceiveForm
          key={purchase.updated_at}
          purchase={purchase}
          onDone={() => {
            setReceiving(false);
            reload();
          }}
          onCancel={() => setReceiving(false)}
        />
      )}
      <div className={styles.beside}>
        <div className={styles.stack}>
          <Panel title="Items ordered">
            <PurchaseTable purchase={purchase} />
          </Panel>
          <div className={styles.screenOnly}>
            <Panel title="Goods received">
              <Receipts purchase={purchase} onChanged={reload} />
            </Panel>
          </div>
        </div>
        <div className={`${styles.stack} ${styles.screenOnly}`}>
          <PurchaseFacts purchase={purchase} progress={progress} />
          {!isReceiving && <PurchaseNote key={purchase.updated_at} purchase={purchase} onSaved={reload} />}
        </div>
      </div>
      <ConfirmDialog
        open={isClosing}
        title={progress.hasCome ? 'Close this order?' : 'Cancel this order?'}
        text={<Missing purchase={purchase} />}
        confirmLabel={closeLabel}
        tone={progress.isShort ? 'danger' : 'plain'}
        onConfirm={close}
        onClose={() => setClosing(false)}
      />
    </ConsolePage>
  );
}

function PurchaseFacts({ purchase, progress }: { purchase: Purchase; progress: ReturnType<typeof progressOf> }) {
  const ordered = purchase.ordered_at ? instantFrom(purchase.ordered_at) : null;
  return (
    <Panel title="Order">
      <Facts
        items={[
          [
            'Status',
            <PurchaseBadge
              key="status"
              status={purchase.status}
              is_short={progress.isShort}
              has_come={progress.hasCome}
            />,
          ],
          [
            'Vendor',
            <Link key="vendor" to={href('/admin/vendors/:id', { id: String(purchase.vendor.id) })}>
              {purchase.vendor.name}
            </Link>,
          ],
          ['Ordered', ordered ? formatDay(ordered) : '—'],
          ['Expected', purchase.expected_on ? formatDate(purchase.expected_on) : '—'],
        ]}
      />
    </Panel>
  );
}

function Missing({ purchase }: { purchase: Purchase }) {
  const missing = purchase.lines.filter(({ quantity, received_quantity }) => received_quantity < quantity);
  if (missing.length === 0)
    return <p>Everything was received. Nothing more can be received on this order after that.</p>;
  return (
    <>
      <p>Not received yet. After closing, these can’t be received on this order:</p>
      <ul>
        {missing.map((line) => (
          <li key={line.id}>
            {formatPurchased(Math.round((line.quantity - line.received_quantity) * 1000) / 1000, line.unit)} of{' '}
            {line.item_name}
          </li>
        ))}
      </ul>
    </>
  );
}
