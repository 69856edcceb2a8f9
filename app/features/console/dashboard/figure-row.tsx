import { compare } from '#domain/console/comparison.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { type Dashboard, type Figures, periodWords } from './dashboard-data.ts';
import styles from './figure-row.module.css';

type Figure = {
  title: string;
  of(figures: Figures): number;
  format(value: number): string;
  /** More of it is not better. */
  isBurden?: boolean;
};

const rupees = (value: number) => formatPaise(paise(Math.round(value)));

const figures: readonly Figure[] = [
  { title: 'Revenue', of: ({ sales_paise }) => sales_paise, format: rupees },
  { title: 'Orders', of: ({ orders }) => orders, format: (value) => value.toLocaleString('en-IN') },
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

export function FigureRow({ dashboard: { period, now, before } }: { dashboard: Dashboard }) {
  return (
    <section aria-label="Figures">
      <dl className={styles.figures}>
        {figures.map(({ title, of, format, isBurden }) => {
          const change = compare(of(now), of(before));
          const isGood = change.direction === 'same' ? undefined : (change.direction === 'up') !== Boolean(isBurden);
          return (
            <div key={title}>
              <dt>{title}</dt>
              <dd className={styles.value}>{format(of(now))}</dd>
              <dd className={styles.change} data-good={isGood}>
                {change.words}
                <span className="visually-hidden">
                  {' '}
                  against {format(of(before))}, {periodWords[period].before}
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
      <p className={styles.note}>
        Compared with {periodWords[period].before}. Revenue is what was ordered, tax and delivery included, without
        canceled orders
        {now.canceled > 0 && ` (${now.canceled.toLocaleString('en-IN')} here)`}.
        {' Gross profit is goods less what they cost, before refunds.'}
        {now.uncosted_paise > 0 && ` It leaves out ${rupees(now.uncosted_paise)} of sweets whose cost is not known.`}
      </p>
    </section>
  );
}
