import { type ProfitFigures, statementLines } from '#domain/expenses/statement.ts';
import { formatPaise, paise } from '#domain/money.ts';
import styles from './statement.module.css';

const money = (amount: number) => formatPaise(paise(amount));

/** From what was sold to what is left, line by line. */
export function Statement({ caption, figures }: { caption: string; figures: ProfitFigures }) {
  return (
    <>
      <table className={styles.statement}>
        <caption className="visually-hidden">{caption}</caption>
        <tbody>
          {statementLines(figures, money).map((line) => (
            <tr key={line.key} data-kind={line.kind}>
              <th scope="row">
                {line.label}
                {line.note && <small>{line.note}</small>}
              </th>
              <td>{money(line.paise)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.tax}>
        GST, which is in none of these: {money(figures.tax_collected_paise)} collected on goods,{' '}
        {money(figures.tax_spent_paise)} paid in expenses.
      </p>
    </>
  );
}
