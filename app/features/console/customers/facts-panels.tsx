import { href, Link } from 'react-router';
import { Panel } from '#app/ui/panel.tsx';
import type { Customer } from '#contracts/console/customers.ts';
import { formatPaise } from '#domain/money.ts';

import styles from './customer-page.module.css';
import { amountSaid, daySaid } from './words.ts';

export function FiguresPanel({ customer }: { customer: Customer }) {
  const { orders, canceled, value_paise, average_paise, last_order_at, joined_at } = customer;
  return (
    <Panel>
      <dl className={styles.figures}>
        <div>
          <dt>Lifetime value</dt>
          <dd>
            {formatPaise(value_paise)}
            <small>less refunds</small>
          </dd>
        </div>
        <div>
          <dt>Orders</dt>
          <dd>
            {orders.toLocaleString('en-IN')}
            {canceled > 0 && <small>and {canceled.toLocaleString('en-IN')} cancelled</small>}
          </dd>
        </div>
        <div>
          <dt>Average order</dt>
          <dd>{average_paise === null ? '–' : formatPaise(average_paise)}</dd>
        </div>
        <div>
          <dt>Last order</dt>
          <dd>{last_order_at ? daySaid(last_order_at) : 'Never'}</dd>
        </div>
        <div>
          <dt>Customer since</dt>
          <dd>{joined_at ? daySaid(joined_at) : '–'}</dd>
        </div>
      </dl>
    </Panel>
  );
}

export function ContactPanel({ customer }: { customer: Customer }) {
  const { email, phone, building_no, street, city, state, zip, last_seen_at } = customer;
  const lines = [building_no, street, [city, zip].filter(Boolean).join(' '), state].filter(Boolean);
  return (
    <Panel title="Contact">
      <address className={styles.contact}>
        {email && <a href={`mailto:${email}`}>{email}</a>}
        {phone ? (
          <a href={`tel:${phone.replace(/[ -]/g, '')}`}>{phone}</a>
        ) : (
          <p className={styles.none}>No phone number yet.</p>
        )}
        {lines.length > 0 ? <p>{lines.join(', ')}</p> : <p className={styles.none}>No address yet.</p>}
        {last_seen_at && <small>Last logged in {daySaid(last_seen_at)}</small>}
      </address>
    </Panel>
  );
}

export function FavouritesPanel({ customer: { favourites } }: { customer: Customer }) {
  return (
    <Panel title="Favourite sweets">
      {favourites.length === 0 ? (
        <p className={styles.none}>No orders yet.</p>
      ) : (
        <ul className={styles.list}>
          {favourites.map((sweet) => (
            <li key={sweet.product_id}>
              <Link to={href('/admin/products/:id', { id: String(sweet.product_id) })}>{sweet.name}</Link>
              <span>
                {amountSaid(sweet)} in {sweet.orders === 1 ? '1 order' : `${sweet.orders} orders`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Only where they wait for something: most wait for nothing. */
export function WaitingPanel({ customer: { waiting } }: { customer: Customer }) {
  if (waiting.length === 0) return null;
  return (
    <Panel title="Back-in-stock requests">
      <ul className={styles.list}>
        {waiting.map((sweet) => (
          <li key={sweet.product_id}>
            <Link to={href('/admin/inventory/:productId', { productId: String(sweet.product_id) })}>{sweet.name}</Link>
            <span>since {daySaid(sweet.since)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
