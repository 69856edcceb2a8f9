import { useEffect, useRef, useState } from 'react';
import { keep, show, useFile } from '#app/backend/files.ts';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Order } from '#contracts/console/order.ts';
import { listDocuments } from '#contracts/documents.ts';
import { z } from '#contracts/z.ts';
import { documentFileName } from '#domain/documents/tax-document.ts';
import { formatPaise } from '#domain/money.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { moment } from '../order-words.ts';
import styles from './order-documents.module.css';

const Documents = z.array(
  z.object({
    kind: z.enum(['invoice', 'credit note']),
    id: z.string(),
    number: z.string(),
    issued_at: z.string(),
    total_paise: z.number(),
  }),
);
type Listed = z.infer<typeof Documents>[number];
const titles = { invoice: 'Invoice', 'credit note': 'Credit note' } as const;

/** The tax documents of an order; before there are any, its receipt. */
export function OrderDocuments({ order }: { order: Order }) {
  const { data, refetch } = useShopQuery(listDocuments, { order_id: order.id });
  // A move or a refund may have brought another.
  const state = `${order.updated_at} ${order.money.refunded_paise}`;
  const readFor = useRef(state);
  useEffect(() => {
    if (readFor.current === state) return;
    readFor.current = state;
    void refetch();
  }, [state, refetch]);
  const documents = data ?? [];
  const hasInvoice = documents.some(({ kind }) => kind === 'invoice');
  return (
    <Panel title="Documents">
      <ul className={styles.documents}>
        {documents.map((one) => (
          <li key={one.id}>
            <Named document={one} />
            <Actions
              question={`invoice?order=${order.id}${one.kind === 'invoice' ? '' : `&credit_note=${one.id}`}`}
              fileName={documentFileName(one)}
              what={`${titles[one.kind].toLowerCase()} ${one.number}`}
            />
          </li>
        ))}
        {data !== undefined && !hasInvoice && (
          <li>
            <p>
              <strong>Order receipt</strong>
              <small>{withoutInvoice(order.status)}</small>
            </p>
            <Actions
              question={`invoice?order=${order.id}`}
              fileName={documentFileName({ kind: 'receipt', number: String(order.number) })}
              what="order receipt"
            />
          </li>
        )}
      </ul>
    </Panel>
  );
}

/** Why there is no invoice: one is issued when an order is packed. */
export const withoutInvoice = (status: Order['status']): string =>
  status === 'canceled'
    ? 'Cancelled before it was packed, so no invoice was issued.'
    : 'The invoice is issued when the order is packed.';

function Named({ document: { kind, number, issued_at, total_paise } }: { document: Listed }) {
  return (
    <p>
      <strong>
        {titles[kind]} {number}
      </strong>
      <small>
        {moment(issued_at)} · {formatPaise(total_paise)}
      </small>
    </p>
  );
}

function Actions({ question, fileName, what }: { question: string; fileName: string; what: string }) {
  const fetchFile = useFile();
  const [isBusy, setBusy] = useState(false);

  async function fetched(use: (file: Blob) => void, giveUp: () => void) {
    if (isBusy) return giveUp();
    setBusy(true);
    const answer = await fetchFile(question);
    setBusy(false);
    if (answer.ok) return use(answer.file);
    giveUp();
    toast('error', answer.message);
  }

  function openToPrint() {
    const tab = window.open('', '_blank');
    if (!tab) return toast('error', 'Your browser blocked the new tab. Download it instead.');
    void fetched(
      (file) => show(file, tab),
      () => tab.close(),
    );
  }

  return (
    <div className={styles.actions} aria-busy={isBusy}>
      <Button size="small" onClick={openToPrint}>
        Print <span className="visually-hidden">{what}</span>
      </Button>
      <Button
        size="small"
        onClick={() =>
          fetched(
            (file) => keep(file, fileName),
            () => {},
          )
        }
      >
        Download <span className="visually-hidden">{what}</span>
      </Button>
    </div>
  );
}
