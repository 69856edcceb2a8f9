import { href, Link } from 'react-router';
import { readMonthProfit } from '#contracts/console/profit.ts';
import { differenceFrom } from '#domain/console/comparison.ts';
import { isIncomplete } from '#domain/expenses/statement.ts';
import { formatPaise } from '#domain/money.ts';
import { formatMonth } from '#domain/time.ts';

import { useShopQuery } from '../data/shop-query.ts';
import { FigureTile } from './figure-row.tsx';

/** What is left of the month so far; the statement behind it says how. */
export function NetProfit() {
  const { data } = useShopQuery(readMonthProfit, {});
  if (data === undefined) return null;
  const { month, month_before, now, before } = data;
  return (
    <FigureTile
      title={
        <Link to={href('/admin/expenses/profit')}>
          Net profit, {formatMonth(month)} so far{isIncomplete(now) && ' (some costs missing)'}
        </Link>
      }
      value={formatPaise(now.profit_paise)}
      change={differenceFrom(now.profit_paise, before.profit_paise, {
        format: formatPaise,
        than: `${formatMonth(month_before)} by now`,
      })}
    />
  );
}
