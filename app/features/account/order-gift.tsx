import { GiftMotif } from '#app/parts/gift-card/gift-motif.tsx';
import styles from './order-gift.module.css';
import type { PastGift } from './order-history.ts';

/** What the card of a gift said, and to whom it went. */
export default function OrderGift({ gift }: { gift: PastGift }) {
  return (
    <section className={styles.gift} aria-label="Gift">
      <GiftMotif of={gift.motif} className={styles.motif} />
      <div>
        <p>
          <strong>Gift for {gift.recipient}</strong>
          {gift.city && `, ${gift.city}`}
        </p>
        {gift.note && (
          <p className={styles.note} dir="auto">
            {gift.note}
          </p>
        )}
        <p className={styles.more}>
          From {gift.senderName}.{' '}
          {gift.recipientEmail && `We email ${gift.recipientEmail} once, when it leaves our kitchen.`}
        </p>
      </div>
    </section>
  );
}
