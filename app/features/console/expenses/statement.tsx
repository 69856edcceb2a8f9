import { type ProfitFigures, shareOfSales, statementLines, taxLines } from '#domain/expenses/statement.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './statement.module.css';

type Props = {
  caption: string;
  figures: ProfitFigures;
  /** GST on what vendors billed in that time. */
  billTaxPaise: number;
  /** The year that a month is part of. */
  year?: ProfitFigures | null;
};

/** From what was sold to what is left, line by line. */
export function Statement({ caption, figures, billTaxPaise, year = null }: Props) {
  const ofYear = new Map(year && statementLines(year, formatPaise).map((line) => [line.key, line.paise]));
  return (
    <>
      <table className={styles.statement}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Amount</th>
            <th scope="col">Of net sales</th>
            {year && (
              <th scope="col" className={styles.year}>
                Whole year
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {statementLines(figures, formatPaise).map((line) => (
            <tr key={line.key} data-kind={line.kind}>
              <th scope="row">
                {line.label}
                {line.note && <small>{line.note}</small>}
              </th>
              <td>{formatPaise(line.paise)}</td>
              <td>{shareOfSales(line.paise, figures.net_sales_paise)}</td>
              {year && <td className={styles.year}>{formatPaise(ofYear.get(line.key) ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <table className={styles.tax}>
        <caption>GST collected and paid, not part of profit</caption>
        <tbody>
          {taxLines(figures, billTaxPaise).map(({ label, paise: amount }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{formatPaise(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
