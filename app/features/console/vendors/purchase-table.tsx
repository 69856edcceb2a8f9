import { href, Link } from 'react-router';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Line, Purchase } from '#contracts/console/purchases.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { lineAmount, purchaseAmount } from '#domain/purchases/amounts.ts';
import { formatPurchased, perUnit } from '#domain/purchases/units.ts';
import { formatDate, formatDay, instantFrom } from '#domain/time.ts';
import { None } from '../list/none.tsx';
import styles from './purchase.module.css';

import shared from './vendors.module.css';

const amountOf = (line: Line) => ({
  thousandths: Math.round(line.quantity * 1000),
  unitCostPaise: paise(line.unit_cost_paise),
  gstPercent: line.gst_percent,
});

export function PurchaseTable({ purchase }: { purchase: Purchase }) {
  const { goodsPaise, gstPaise, totalPaise } = purchaseAmount(purchase.lines.map(amountOf));
  const ordered = purchase.ordered_at ? instantFrom(purchase.ordered_at) : null;
  return (
    <div className={shared.part}>
      <p className={styles.letter}>
        To {purchase.vendor.name}
        {purchase.vendor.gstin && `, GSTIN ${purchase.vendor.gstin}`}
        {ordered && `, ordered on ${formatDay(ordered)}`}
        {purchase.expected_on && `, expected on ${formatDate(purchase.expected_on)}`}
      </p>
      <DataTable
        caption="Items ordered"
        rows={purchase.lines}
        rowKey={({ id }) => String(id)}
        empty={<EmptyState title="No items." />}
        columns={[
          {
            key: 'what',
            title: 'Item',
            cell: ({ item_name, product, last_price, unit_cost_paise, unit }) => (
              <span>
                {product ? (
                  <Link to={href('/admin/inventory/:productId', { productId: String(product.id) })}>{item_name}</Link>
                ) : (
                  item_name
                )}
                {last_price && last_price.unit === unit && last_price.unit_cost_paise !== unit_cost_paise && (
                  <span className={`${shared.small} ${styles.screenOnly}`}>
                    last {formatPaise(last_price.unit_cost_paise)} from {last_price.vendor}
                  </span>
                )}
              </span>
            ),
          },
          {
            key: 'quantity',
            title: 'Ordered',
            align: 'end',
            cell: ({ quantity, unit }) => formatPurchased(quantity, unit),
          },
          {
            key: 'received',
            title: 'Received',
            align: 'end',
            cell: ({ received_quantity, unit }) =>
              received_quantity > 0 ? formatPurchased(received_quantity, unit) : <None />,
          },
          {
            key: 'price',
            title: 'Price',
            align: 'end',
            cell: ({ unit_cost_paise, unit }) => `${formatPaise(unit_cost_paise)} ${perUnit(unit)}`,
          },
          { key: 'gst', title: 'GST', align: 'end', hideOnPhone: true, cell: ({ gst_percent }) => `${gst_percent}%` },
          {
            key: 'total',
            title: 'Total with GST',
            align: 'end',
            cell: (line) => formatPaise(lineAmount(amountOf(line)).totalPaise),
          },
        ]}
      />
      <div className={styles.linesEnd}>
        <span />
        <p>
          {formatPaise(goodsPaise)} + {formatPaise(gstPaise)} GST = <b>{formatPaise(totalPaise)}</b>
        </p>
      </div>
      {purchase.notes && <p className={styles.letter}>{purchase.notes}</p>}
    </div>
  );
}
