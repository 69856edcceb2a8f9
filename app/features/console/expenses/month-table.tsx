import { Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { ProfitMonth, ProfitYear } from '#contracts/console/profit.ts';
import { monthShortName } from '#domain/expenses/months.ts';
import { isIncomplete, type ProfitFigures } from '#domain/expenses/statement.ts';
import { formatWholeRupees } from '#domain/money.ts';
import styles from './month-table.module.css';
import { isOver } from './profit-data.ts';

type Props = { year: ProfitYear; chosen: string; isStale: boolean; hrefFor(month: string): string };

const columns: readonly { title: string; of(figures: ProfitFigures): number; isWide?: boolean }[] = [
  { title: 'Net sales', of: (figures) => figures.net_sales_paise },
  { title: 'Cost of goods', of: (figures) => figures.cost_paise, isWide: true },
  { title: 'Payment fees', of: (figures) => figures.fee_paise, isWide: true },
  { title: 'Delivery', of: (figures) => figures.courier_paise - figures.shipping_paise, isWide: true },
  { title: 'Wastage and replacements', of: (figures) => figures.wastage_paise, isWide: true },
  { title: 'Expenses', of: (figures) => figures.expenses_paise, isWide: true },
];

/** A month in a line, and the year under them. */
export function MonthTable({ year, chosen, isStale, hrefFor }: Props) {
  if (!year.total) return <EmptyState title="This year hasn’t started yet." />;
  const isUnsure = isIncomplete(year.total);
  return (
    <div className={styles.frame} aria-busy={isStale || undefined}>
      <table className={styles.months}>
        <caption className="visually-hidden">Profit and loss by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {columns.map(({ title, isWide }) => (
              <th key={title} scope="col" className={isWide ? styles.wide : undefined}>
                {title}
              </th>
            ))}
            <th scope="col">Profit</th>
            <th scope="col" className={styles.state}>
              Status
            </th>
          </tr>
        </thead>
        <tbody>
          {year.months.map((month) => (
            <tr key={month.month} data-chosen={month.month === chosen || undefined}>
              <th scope="row">
                <Link to={hrefFor(month.month)} preventScrollReset replace>
                  {monthShortName(month.month)}
                </Link>
              </th>
              <Amounts figures={month.figures} />
              <td className={styles.state}>
                <State month={month} today={year.today} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr data-chosen={chosen === '' || undefined}>
            <th scope="row">
              <Link to={hrefFor('')} preventScrollReset replace>
                Whole year
              </Link>
            </th>
            <Amounts figures={year.total} />
            <td className={styles.state} />
          </tr>
        </tfoot>
      </table>
      {isUnsure && <p className={styles.note}>≤ Some costs are missing, so the real profit is lower.</p>}
    </div>
  );
}

function Amounts({ figures }: { figures: ProfitFigures }) {
  return (
    <>
      {columns.map(({ title, of, isWide }) => (
        <td key={title} className={isWide ? styles.wide : undefined}>
          {formatWholeRupees(of(figures))}
        </td>
      ))}
      <td data-loss={figures.profit_paise < 0 || undefined}>
        {isIncomplete(figures) && <span className={styles.atMost}>≤ </span>}
        {formatWholeRupees(figures.profit_paise)}
      </td>
    </>
  );
}

function State({ month: { month, closing }, today }: { month: ProfitMonth; today: string }) {
  if (closing?.was) return <Badge tone="warn">Changed</Badge>;
  if (closing) return <Badge tone="good">Closed</Badge>;
  return <Badge>{isOver(month, today) ? 'Open' : 'In progress'}</Badge>;
}
