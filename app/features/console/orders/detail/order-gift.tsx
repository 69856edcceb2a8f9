import { href } from 'react-router';
import { GiftMotif } from '#app/parts/gift-card/gift-motif.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { OrderGift as Gift, Order } from '#contracts/console/order.ts';
import { motifNames } from '#domain/gifts/gift.ts';
import styles from './order-gift.module.css';

/** The text of the card, for packing; and who gets the email that the parcel is on its way. */
export function OrderGift({ order, gift }: { order: Order; gift: Gift }) {
  return (
    <Panel
      title="Gift"
      actions={
        <ButtonLink size="small" to={`${href('/admin/orders/print')}?doc=card&ids=${order.id}`}>
          Print card
        </ButtonLink>
      }
    >
      <div className={styles.gift}>
        <GiftMotif of={gift.motif} className={styles.motif} />
        <div>
          <p className={styles.note} dir="auto">
            {gift.note || 'No note, only the picture and the name.'}
          </p>
          <p>
            From <strong>{gift.sender_name || 'Erased customer'}</strong>
          </p>
          <p className={styles.more}>{motifNames[gift.motif]}</p>
        </div>
      </div>
      <p className={styles.more}>
        No prices in the parcel: the invoice goes to the buyer only.{' '}
        {gift.recipient_email
          ? `${gift.recipient_email} gets one email when it is shipped.`
          : 'The recipient gets no email.'}
      </p>
    </Panel>
  );
}
