import { Link } from 'react-router';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { Badge, Empty } from '#app/ui/panel.tsx';
import { monthName } from '#domain/expenses/months.ts';
import { isIncomplete, type ProfitFigures } from '#domain/expenses/statement.ts';
import { formatPaise, paise } from '#domain/money.ts';
import styles from './month-table.module.css';
import { isOver, type ProfitMonth, type ProfitYear } from './profit-data.ts';

type Row = { key: string; month: ProfitMonth | null; figures: ProfitFigures };
type Props = { year: ProfitYear; isStale: boolean; hrefFor(month: string): string };

const money = (amount: number) => formatPaise(paise(amount));

/** A month in a line, and the year under them. */
export function MonthTable({ year, isStale, hrefFor }: Props) {
  const rows: Row[] = year.months.map((month) => ({ key: month.month, month, figures: month.figures }));
  if (year.total) rows.push({ key: 'year', month: null, figures: year.total });

  const amount = (
    key: string,
    title: string,
    of: (figures: ProfitFigures) => number,
    hideOnPhone = false,
  ): Column<Row> => ({
    key,
    title,
    align: 'end',
    hideOnPhone,
    cell: ({ figures, month }) => <span className={month ? undefined : styles.total}>{money(of(figures))}</span>,
  });
  const columns: Column<Row>[] = [
    {
      key: 'month',
      title: 'Month',
      cell: ({ month }) => (
        <Link className={styles.name} to={hrefFor(month?.month ?? '')} preventScrollReset>
          {month ? monthName(month.month) : 'Whole year'}
        </Link>
      ),
    },
    amount('net', 'Net sales', ({ net_sales_paise }) => net_sales_paise),
    amount('cost', 'Cost of goods', ({ cost_paise }) => cost_paise, true),
    amount('fees', 'Payment fees', ({ fee_paise }) => fee_paise, true),
    amount('delivery', 'Delivery', ({ courier_paise, shipping_paise }) => courier_paise - shipping_paise, true),
    amount('wastage', 'Wastage', ({ wastage_paise }) => wastage_paise, true),
    amount('expenses', 'Expenses', ({ expenses_paise }) => expenses_paise),
    amount('profit', 'Profit', ({ profit_paise }) => profit_paise),
    { key: 'state', title: 'State', cell: (row) => <State row={row} today={year.today} /> },
  ];
  return (
    <DataTable<Row>
      caption="Profit and loss by month"
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      isStale={isStale}
      empty={<Empty title="Nothing happened in this year yet." />}
    />
  );
}

function State({ row: { month, figures }, today }: { row: Row; today: string }) {
  return (
    <span className={styles.states}>
      {month?.closing &&
        (month.closing.was ? <Badge tone="warn">changed since closing</Badge> : <Badge tone="good">closed</Badge>)}
      {month && !month.closing && <Badge>{isOver(month.month, today) ? 'open' : 'running'}</Badge>}
      {isIncomplete(figures) && <Badge tone="warn">something not known</Badge>}
    </span>
  );
}
