import { href, Link } from 'react-router';
import { BarChart } from '#app/ui/charts/bar-chart.tsx';
import type { Dashboard, Period } from '#contracts/console/dashboard.ts';
import { formatAmounts } from '#domain/catalog/weight.ts';
import { formatPaise, formatPaiseShort, paise } from '#domain/money.ts';
import { formatHour, formatMonth, formatShortDay } from '#domain/time.ts';
import styles from './breakdowns.module.css';

const stepWords: Record<Period, (from: string) => string> = {
  today: formatHour,
  week: formatShortDay,
  month: formatShortDay,
  year: formatMonth,
};

export function SalesOverTime({ dashboard: { period, timeline } }: { dashboard: Dashboard }) {
  return (
    <BarChart
      title="Sales over time"
      isTitleHidden
      labels={timeline.map(({ from }) => stepWords[period](from))}
      series={[{ label: 'Sales', values: timeline.map(({ sales_paise }) => sales_paise) }]}
      format={formatPaise}
      formatAxis={(value) => formatPaiseShort(paise(value))}
    />
  );
}

export function BestSellers({ dashboard: { best } }: { dashboard: Dashboard }) {
  const most = best[0]?.goods_paise ?? 1;
  return (
    <ol className={styles.bars}>
      {best.map(({ product_id, name, category, goods_paise, ...amounts }) => (
        <li key={product_id} data-category={category} style={share(goods_paise, most)}>
          <Link to={href('/admin/products/:id', { id: String(product_id) })}>{name}</Link>
          <b>{formatPaise(goods_paise)}</b>
          <small>{formatAmounts(amounts)}</small>
        </li>
      ))}
    </ol>
  );
}

export function ByCategory({ dashboard: { categories } }: { dashboard: Dashboard }) {
  const all = categories.reduce((sum, { goods_paise }) => sum + goods_paise, 0);
  const most = categories[0]?.goods_paise ?? 1;
  return (
    <ul className={styles.bars}>
      {categories.map(({ category, goods_paise }) => (
        <li key={category} data-category={category} style={share(goods_paise, most)}>
          <span>{category}</span>
          <b>{formatPaise(goods_paise)}</b>
          <small>{Math.round((goods_paise / all) * 100)}%</small>
        </li>
      ))}
    </ul>
  );
}

export function ByCity({ dashboard: { cities } }: { dashboard: Dashboard }) {
  const most = cities[0]?.goods_paise ?? 1;
  return (
    <ol className={styles.bars}>
      {cities.map(({ city, orders, goods_paise }) => (
        <li key={city} style={share(goods_paise, most)}>
          <span>{city}</span>
          <b>{formatPaise(goods_paise)}</b>
          <small>
            {orders.toLocaleString('en-IN')} {orders === 1 ? 'order' : 'orders'}
          </small>
        </li>
      ))}
    </ol>
  );
}

function share(part: number, most: number): React.CSSProperties {
  return { '--share': `${Math.max(1, (part / most) * 100)}%` } as React.CSSProperties;
}
