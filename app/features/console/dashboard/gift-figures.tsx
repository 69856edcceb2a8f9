import { href, Link } from 'react-router';
import { Panel } from '#app/ui/panel.tsx';
import { readGiftFigures } from '#contracts/console/dashboard.ts';
import type { ResultOf } from '#contracts/contract.ts';
import { differenceFrom } from '#domain/console/comparison.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay, formatMonth } from '#domain/time.ts';
import { useShopQuery } from '../data/shop-query.ts';
import rows from './figure-row.module.css';
import { FigureTile } from './figure-row.tsx';
import styles from './gift-figures.module.css';

type Figures = ResultOf<typeof readGiftFigures>;
type Count = Figures['now'];

const count = (value: number) => value.toLocaleString('en-IN');
const share = ({ orders, gifts }: Count) => (orders === 0 ? 0 : Math.round((gifts / orders) * 100));

/** Gifts of the month so far, and the days on which gifts are due. */
export function GiftFigures() {
  const { data } = useShopQuery(readGiftFigures, {});
  // A shop that sends no gifts has nothing to read here.
  if (data === undefined || (data.now.gifts === 0 && data.before.gifts === 0 && data.days.length === 0)) return null;
  const { now, before } = data;
  const than = `${formatMonth(data.month_before)} by now`;
  return (
    <Panel title={`Gifts, ${formatMonth(data.month)} so far`}>
      <dl className={rows.figures}>
        <FigureTile
          title="Gift orders"
          value={count(now.gifts)}
          change={differenceFrom(now.gifts, before.gifts, { format: count, than, isCount: true })}
        />
        <FigureTile
          title="Share of orders"
          value={`${share(now)}%`}
          change={differenceFrom(share(now), share(before), { format: (value) => `${value} points`, than })}
        />
        <FigureTile
          title="Gift revenue"
          value={formatPaise(now.gifts_paise)}
          change={differenceFrom(now.gifts_paise, before.gifts_paise, { format: formatPaise, than })}
        />
      </dl>
      <GiftDays days={data.days} />
    </Panel>
  );
}

function GiftDays({ days }: Pick<Figures, 'days'>) {
  if (days.length === 0) return <p className={styles.none}>No gifts are due in the days to come.</p>;
  return (
    <>
      <h3 className={styles.title}>Gift days to come</h3>
      <ul className={styles.days}>
        {days.map(({ day, gifts, to_pack }) => (
          <li key={day}>
            <span>{formatCalendarDay(day)}</span>
            <b>{gifts === 1 ? '1 gift' : `${count(gifts)} gifts`}</b>
            <small>{to_pack === 0 ? 'all packed' : `${count(to_pack)} to pack`}</small>
          </li>
        ))}
      </ul>
      <p className={styles.none}>
        <Link to={`${href('/admin/orders')}?todo=pack-today`}>Pack today’s orders and print their cards</Link>
      </p>
    </>
  );
}
