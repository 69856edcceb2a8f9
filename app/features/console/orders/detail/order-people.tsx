import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { Order } from '#contracts/console/order.ts';
import { ordersOf } from '../order-words.ts';
import type { Asked } from './order-forms.ts';
import styles from './order-people.module.css';

/** Who ordered, and where it goes. */
export function OrderPeople({ order, ask }: { order: Order; ask(asked: Asked): void }) {
  const { customer, delivery, fulfilment } = order;
  const canCorrect = ['Pending', 'Confirmed', 'Preparing'].includes(order.status);
  const digits = delivery.phone.replace(/\D/g, '').slice(-10);
  return (
    <Panel
      title={fulfilment === 'pickup' ? 'Pick-up by' : 'Delivery to'}
      actions={
        canCorrect ? (
          <Button size="small" aria-haspopup="dialog" onClick={() => ask('address')}>
            Edit <span className="visually-hidden">address</span>
          </Button>
        ) : (
          order.status === 'Undelivered' &&
          fulfilment === 'delivery' && (
            <Button size="small" aria-haspopup="dialog" onClick={() => ask('resend')}>
              Correct and send again
            </Button>
          )
        )
      }
    >
      <address className={styles.address}>
        <strong>{delivery.name}</strong>
        {fulfilment === 'delivery' && (
          <>
            <span>{delivery.building_no}</span>
            <span>{delivery.street}</span>
            <span>
              {delivery.city} {delivery.zip}
            </span>
            <span>{delivery.state}</span>
          </>
        )}
      </address>
      <p className={styles.reach}>
        <a href={`tel:+91${digits}`}>{delivery.phone}</a>
        <a href={`https://wa.me/91${digits}`} target="_blank" rel="noreferrer">
          WhatsApp
        </a>
        {customer?.email && <a href={`mailto:${customer.email}`}>{customer.email}</a>}
      </p>
      {order.gift && (
        <p>A gift: the phone is the recipient’s, the email the buyer’s. Don’t tell the recipient prices.</p>
      )}
      <div className={styles.customer}>
        {customer ? (
          <p className={styles.who}>
            <span>
              <Link to={href('/admin/customers/:id', { id: customer.user_id })}>{customer.name}</Link>,{' '}
              {ordersOf(customer)}
            </span>
            {customer.is_blocked && <Badge tone="bad">Blocked</Badge>}
            {customer.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        ) : (
          <p>No account (phone order).</p>
        )}
        {customer?.notes && <p className={styles.known}>{customer.notes}</p>}
      </div>
    </Panel>
  );
}
