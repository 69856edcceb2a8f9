import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { PublicConfig } from '#app/shop-context.ts';
import { Button } from '#app/ui/button.tsx';
import type { Basket } from '#domain/cart/cart.ts';
import styles from './bulk-order.module.css';

const BulkOrderDialog = lazy(() => import('./bulk-order-dialog.tsx'));

export type BulkContact = { name: string; email: string; whatsappNumber: string };

/** For offices and weddings: not a checkout, a conversation that starts with what is in the cart. */
export function BulkOrder(props: { shop: BulkContact; basket: Basket; config: PublicConfig }) {
  const { shop } = props;
  const [asked, setAsked] = useState(false);
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.bulk}>
      <p>
        Forty boxes for the office, or four hundred for a wedding? Put together one box here, then talk to us about the
        rest.
      </p>
      <Button
        className={styles.ask}
        aria-haspopup="dialog"
        onClick={() => {
          setAsked(true);
          setOpen(true);
        }}
      >
        Order In Bulk
      </Button>
      <p className={styles.plain}>
        Up to 500 addresses? <Link to="/gifts/group">Send to many, pay once</Link>
      </p>
      <noscript>
        <p className={styles.plain}>
          Select items in <Link to="/shop">the shop</Link> and contact us
          {shop.email && (
            <>
              {' '}
              by email: <a href={`mailto:${shop.email}`}>{shop.email}</a>
            </>
          )}
          {shop.whatsappNumber && (
            <>
              {' '}
              or on <a href={`https://wa.me/${shop.whatsappNumber.replace(/\D/g, '')}`}>WhatsApp</a>
            </>
          )}
          .
        </p>
      </noscript>
      {asked && (
        <Suspense>
          <BulkOrderDialog {...props} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
