import { z } from '#contracts/z.ts';
import { expenseCategories, paymentModes } from '#domain/expenses/expense.ts';
import { firstAndLastDay, isMonth } from '#domain/expenses/months.ts';
import { formatCalendarDay } from '#domain/time.ts';

const orNothing = (isRight: (text: string) => boolean) => z.string().refine(isRight).catch('').default('');
const isDay = (text: string) => formatCalendarDay(text) !== '';

/** What the list shows; `open` is the expense on the table: new, its id, or due-<id of the one before>. */
export const FilterState = z.object({
  month: orNothing(isMonth),
  from: orNothing(isDay),
  to: orNothing(isDay),
  category: z
    .enum(['', ...expenseCategories])
    .catch('')
    .default(''),
  vendor: orNothing((text) => /^\d{1,15}$/.test(text)),
  mode: z
    .enum(['', ...paymentModes])
    .catch('')
    .default(''),
  receipt: z.enum(['', 'with', 'without']).catch('').default(''),
  q: z.string().max(100).catch('').default(''),
  by: z.enum(['date', 'amount']).catch('date').default('date'),
  after: z.string().catch('').default(''),
  open: orNothing((text) => /^(new|(due-)?\d{1,15})$/.test(text)),
});
export type FilterState = z.infer<typeof FilterState>;

export const noFilter = {
  month: '',
  from: '',
  to: '',
  category: '',
  vendor: '',
  mode: '',
  receipt: '',
  q: '',
} as const;

export function isFiltered(state: FilterState): boolean {
  return Object.keys(noFilter).some((name) => state[name as keyof typeof noFilter] !== '');
}

/** As the database asks for it: only what is set. A month counts before other dates. */
export function filterOf(state: FilterState): Record<string, string> {
  const days = state.month ? firstAndLastDay(state.month) : { from: state.from, to: state.to };
  const all = {
    ...days,
    category: state.category,
    vendor_id: state.vendor,
    payment_mode: state.mode,
    receipt: state.receipt,
    search: state.q,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** The name of the file that holds what the filter shows. */
export function fileNameOf({ from = '', to = '', ...others }: Record<string, string>): string {
  const days = [from, to].filter(Boolean).join('-to-');
  const what = Object.keys(others).length > 0 ? 'some-expenses' : 'expenses';
  return `${[what, days].filter(Boolean).join('-')}.csv`;
}
