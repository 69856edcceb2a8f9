import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { readAsVisitor } from '#app/backend/client.ts';
import type { PublicConfig } from '#app/shop-context.ts';
import { ButtonAnchor, ButtonLink, IconButton } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { ChatIcon, MailIcon } from '#app/ui/contact-icons.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Basket } from '#domain/cart/cart.ts';
import {
  type BulkLine,
  bulkChatLink,
  bulkLines,
  bulkMailLink,
  bulkMessage,
  describeBulkLine,
  type NamedProduct,
  selectedLines,
} from '#domain/home/bulk-order.ts';
import styles from './bulk-order.module.css';
import type { BulkContact } from './bulk-order.tsx';

export type BulkOrderDialogProps = {
  shop: BulkContact;
  basket: Basket;
  config: PublicConfig;
  open: boolean;
  onClose(): void;
};

export default function BulkOrderDialog({ shop, basket, config, open, onClose }: BulkOrderDialogProps) {
  const selected = selectedLines(basket);
  const products = useNames(config, open ? [...new Set(selected.map(({ productId }) => productId))] : []);
  const lines = products === 'reading' ? null : bulkLines(selected, products);
  return (
    <Dialog open={open} onClose={onClose} labelledBy="bulk-order" className={styles.dialog}>
      <header className={styles.head}>
        <h2 id="bulk-order">Order In Bulk</h2>
        <IconButton label="Close" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {lines === null ? (
        <Reading count={selected.length} />
      ) : lines.length === 0 ? (
        <>
          <p role="alert">
            Please select items first, then contact us by email or WhatsApp. Your cart goes with the message.
          </p>
          <div className={styles.ways}>
            <ButtonLink variant="primary" to="/shop">
              Select items in the shop
            </ButtonLink>
            <Ways shop={shop} lines={[]} />
          </div>
        </>
      ) : (
        <Selected shop={shop} lines={lines} />
      )}
    </Dialog>
  );
}

function Reading({ count }: { count: number }) {
  return (
    <div aria-busy="true">
      <p role="status">Loading your cart…</p>
      <Skeleton style={{ height: Math.min(count, 8) * 24 }} />
    </div>
  );
}

function Selected({ shop, lines }: { shop: BulkContact; lines: BulkLine[] }) {
  return (
    <>
      <p role="alert">
        You don’t pay for a bulk order here. Please check the items you have selected, then contact us by email or
        WhatsApp. Your list goes with the message, and we’ll reply with a price and a date.
      </p>
      <ul className={styles.lines} aria-label="Selected items">
        {lines.map((line) => (
          <li key={`${line.name} ${line.size}`}>{describeBulkLine(line)}</li>
        ))}
      </ul>
      <div className={styles.ways}>
        <Ways shop={shop} lines={lines} />
        <Link className={styles.more} to="/shop">
          Select more items
        </Link>
      </div>
    </>
  );
}

function Ways({ shop, lines }: { shop: BulkContact; lines: BulkLine[] }) {
  const message = bulkMessage(shop.name, lines);
  return (
    <>
      {shop.whatsappNumber && (
        <ButtonAnchor
          variant={lines.length > 0 ? 'primary' : 'secondary'}
          href={bulkChatLink(shop.whatsappNumber, message)}
          target="_blank"
          rel="noreferrer"
        >
          <ChatIcon /> Message us on WhatsApp
        </ButtonAnchor>
      )}
      {shop.email && (
        <ButtonAnchor href={bulkMailLink(shop.email, message)}>
          <MailIcon /> Write an email
        </ButtonAnchor>
      )}
    </>
  );
}

/** null when the names could not be read. */
function useNames(config: PublicConfig, ids: number[]): NamedProduct[] | null | 'reading' {
  const wanted = ids.join(',');
  const [read, setRead] = useState<{ wanted: string; products: NamedProduct[] | null }>();
  useEffect(() => {
    if (wanted === '') return;
    let gone = false;
    readAsVisitor(config, `Products?select=Id,Name,hasSize&Id=in.(${wanted})`)
      .then((rows) => (rows as { Id: number; Name: string; hasSize: boolean }[]).map(namedProduct))
      .catch(() => null)
      .then((products) => !gone && setRead({ wanted, products }));
    return () => {
      gone = true;
    };
  }, [config, wanted]);
  if (wanted === '') return [];
  return read?.wanted === wanted ? read.products : 'reading';
}

function namedProduct(row: { Id: number; Name: string; hasSize: boolean }): NamedProduct {
  return { id: Number(row.Id), name: row.Name, hasSize: row.hasSize };
}
