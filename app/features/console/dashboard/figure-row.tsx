import type { ReactNode } from 'react';
import type { Dashboard, Figures } from '#contracts/console/dashboard.ts';
import { type Comparison, differenceFrom } from '#domain/console/comparison.ts';
import { formatPaise } from '#domain/money.ts';
import { periodWords } from './dashboard-data.ts';
import styles from './figure-row.module.css';

type Figure = {
  title: string;
  of(figures: Figures): number;
  format(value: number): string;
  /** More of it is not better. */
  isBurden?: boolean;
  isCount?: boolean;
};

const rupees = (value: number) => formatPaise(Math.round(value));

const figures: readonly Figure[] = [
  { title: 'Revenue', of: ({ sales_paise }) => sales_paise, format: rupees },
  { title: 'Orders', of: ({ orders }) => orders, format: (value) => value.toLocaleString('en-IN'), isCount: true },
  {
    title: 'Average order',
    of: ({ sales_paise, orders }) => (orders === 0 ? 0 : Math.round(sales_paise / orders / 100) * 100),
    format: rupees,
  },
  {
    title: 'Gross profit',
    of: ({ goods_paise, uncosted_paise, cost_paise }) => goods_paise - uncosted_paise - cost_paise,
    format: rupees,
  },
  { title: 'Refunds', of: ({ refunds_paise }) => refunds_paise, format: rupees, isBurden: true },
];

type FigureRowProps = { dashboard: Dashboard; netProfit: ReactNode };

export function FigureRow({ dashboard: { period, now, before }, netProfit }: FigureRowProps) {
  return (
    <section aria-label="Figures">
      <dl className={styles.figures}>
        {figures.map(({ title, of, format, isBurden, isCount }) => (
          <FigureTile
            key={title}
            title={title}
            value={format(of(now))}
            change={differenceFrom(of(now), of(before), { format, than: periodWords[period].before, isCount })}
            isBurden={isBurden}
          />
        ))}
        {netProfit}
      </dl>
      <p className={styles.note}>
        Revenue is the total of all orders with tax and delivery, without cancelled ones
        {now.canceled > 0 && ` (${now.canceled.toLocaleString('en-IN')} here)`}.
        {' Gross profit is sales of goods minus their cost, before refunds.'}
        {now.uncosted_paise > 0 && ` It leaves out ${rupees(now.uncosted_paise)} of items with no cost entered.`}
        {' Net profit also subtracts refunds, fees, wastage and expenses.'}
      </p>
    </section>
  );
}

export type FigureTileProps = { title: ReactNode; value: string; change: Comparison; isBurden?: boolean };

export function FigureTile({ title, value, change, isBurden = false }: FigureTileProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd
        className={styles.change}
        data-good={change.direction === 'same' ? undefined : (change.direction === 'up') !== isBurden}
      >
        {change.words}
      </dd>
    </div>
  );
}
