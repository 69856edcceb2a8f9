import { financialYearName } from '#domain/expenses/months.ts';
import styles from './year-choice.module.css';

type YearChoiceProps = { year: number; first: number; current: number; onChange(year: string): void };

/** From the first year with figures to this one. */
export function YearChoice({ year, first, current, onChange }: YearChoiceProps) {
  const [from, to] = [Math.min(first, year), Math.max(current, year)];
  const years = Array.from({ length: to - from + 1 }, (_, back) => to - back);
  return (
    <select
      className={styles.year}
      aria-label="Financial year"
      value={year}
      onChange={(event) => onChange(event.target.value)}
    >
      {years.map((one) => (
        <option key={one} value={one}>
          {financialYearName(one)}
        </option>
      ))}
    </select>
  );
}
