import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import skeleton from '#app/ui/skeleton.module.css';
import { formatPaise, type Paise } from '#domain/money.ts';
import styles from './checkout-summary.module.css';

/** Amounts in rows, what one does next below them. null while prices are still loading. */
export function CheckoutSummary({ subtotal }: { subtotal: Paise | null }) {
  return (
    <div className={styles.summary}>
      <dl className={styles.amounts}>
        <div>
          <dt>Subtotal</dt>
          <dd>{subtotal === null ? <span className={skeleton.skeleton} /> : formatPaise(subtotal)}</dd>
        </div>
      </dl>
      <p className={styles.note}>Added up from today’s prices, before tax and shipping.</p>
      <div className={styles.actions}>
        <Link className={buttons.quiet} to="/shop">
          Shop More
        </Link>
      </div>
    </div>
  );
}
