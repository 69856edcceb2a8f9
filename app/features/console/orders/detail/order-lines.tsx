import { href, Link } from 'react-router';
import { Panel } from '#app/ui/panel.tsx';
import { Picture } from '#app/ui/picture.tsx';
import type { Order } from '#contracts/console/order.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { amountLabels } from '#domain/checkout/amount-labels.ts';
import { formatPaise } from '#domain/money.ts';
import { offerSums } from '#domain/offers/applied.ts';
import { grossProfit, weightOf } from '../order-sums.ts';
import { amountOf } from '../order-words.ts';
import styles from './order-lines.module.css';

export function OrderLines({ order }: { order: Order }) {
  return (
    <Panel title="Items">
      <table className={styles.lines}>
        <caption className="visually-hidden">Items in this order</caption>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Quantity</th>
            <th scope="col">Price</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.id}>
              <th scope="row">
                <span className={styles.sweet}>
                  <Picture sources={pictureSources(line.image)} sizes="40px" width={40} height={40} loading="lazy" />
                  <span>
                    {line.product_id === null ? (
                      line.name
                    ) : (
                      <Link to={href('/admin/products/:id', { id: String(line.product_id) })}>{line.name}</Link>
                    )}
                    <small>
                      HSN {line.hsn}, GST {line.gst_percent}%
                      {line.discount_paise > 0 && `, discount ${formatPaise(line.discount_paise)}`}
                    </small>
                  </span>
                </span>
              </th>
              <td>{amountOf(line)}</td>
              <td>{formatPaise((line.unit_price_paise * line.size) / 500)}</td>
              <td>{formatPaise(line.line_paise)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.below}>
        <div className={styles.profit}>
          <p>Total weight {formatGrams(weightOf(order.lines))}</p>
          <Profit order={order} />
        </div>
        <dl className={styles.sums}>
          <Sum label={amountLabels.subtotal} amount={order.sub_total_paise} />
          {offerSums(order.offers).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <Sum label={amountLabels.tax} amount={order.tax_paise} />
          <Sum label={amountLabels.shipping(order.shipping_tax_paise)} amount={order.shipping_paise} />
          <Sum label="Total" amount={order.total_paise} />
        </dl>
      </div>
    </Panel>
  );
}

function Sum({ label, amount }: { label: string; amount: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatPaise(amount)}</dd>
    </div>
  );
}

function Profit({ order }: { order: Order }) {
  const profit = grossProfit(order);
  if (profit.state === 'none')
    return <p>No profit: {profit.because === 'canceled' ? 'the order was cancelled' : 'everything was refunded'}.</p>;
  if (profit.state === 'unknown')
    return (
      <p>
        Gross profit <strong>unknown</strong>: no unit cost entered for {profit.unknown.join(', ')}.
      </p>
    );
  const { refunded_paise, under_way_paise } = order.money;
  const back = refunded_paise + under_way_paise;
  return (
    <p>
      Gross profit <strong>{formatPaise(profit.profitPaise)}</strong> ({profit.percent}%): items minus{' '}
      {formatPaise(profit.costPaise)} cost{back > 0 && `, before refunds of ${formatPaise(back)}`}.
    </p>
  );
}
