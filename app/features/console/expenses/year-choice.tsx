import { Select } from '#app/ui/select.tsx';
import { financialYearName } from '#domain/expenses/months.ts';

type YearChoiceProps = { year: number; first: number; current: number; onChange(year: string): void };

/** From the first year with figures to this one. */
export function YearChoice({ year, first, current, onChange }: YearChoiceProps) {
  const [from, to] = [Math.min(first, year), Math.max(current, year)];
  const years = Array.from({ length: to - from + 1 }, (_, back) => to - back);
  return (
    <Select
      isSmall
      aria-label="Financial year"
      value={`${year}`}
      options={years.map((one) => ({ value: `${one}`, label: financialYearName(one) }))}
      onChange={onChange}
    />
  );
}
