import type { ISql } from 'postgres';
import { type ShopTable, selectFrom } from '../backup/read-shop.ts';

export type Figure = { what: string; here: string; there: string };
export type TableFigures = Map<string, { rows: string; digest: string }>;

/** Figures that an owner can compare with their records. Amounts are in rupees. */
const sums: readonly { what: string; from: string }[] = [
  { what: 'people', from: 'select count(*) from auth.users' },
  { what: 'products', from: 'select count(*) from public."Products"' },
  { what: 'orders', from: 'select count(*) from public.orders' },
  { what: 'order totals', from: 'select coalesce(sum(total_amount), 0) from public.orders' },
  { what: 'payments', from: 'select round(coalesce(sum(amount_paise), 0) / 100, 2) from private.payments' },
  { what: 'refunds', from: 'select round(coalesce(sum(amount_paise), 0) / 100, 2) from private.refunds' },
  { what: 'invoices', from: 'select round(coalesce(sum(total_paise), 0) / 100, 2) from private.invoices' },
  { what: 'expenses', from: 'select coalesce(sum(amount), 0) from public.expenses' },
  { what: 'paid to vendors', from: 'select coalesce(sum(amount), 0) from public.vendor_payments' },
  { what: 'stock on hand', from: 'select coalesce(sum(on_hand), 0) from public.stock_levels' },
  { what: 'stock held back', from: 'select coalesce(sum(reserved), 0) from public.stock_levels' },
  { what: 'stock movements', from: 'select coalesce(sum(quantity), 0) from public.stock_movements' },
];

export async function sumsOf(sql: ISql): Promise<string[]> {
  const values: string[] = [];
  for (const { from } of sums) {
    const [row] = await sql.unsafe<{ value: string }[]>(`select (${from})::text as value`);
    values.push(row?.value ?? '');
  }
  return values;
}

export function comparedSums(here: readonly string[], there: readonly string[]): Figure[] {
  return sums.map(({ what }, index) => ({ what, here: here[index] ?? '', there: there[index] ?? '' }));
}

/** The number of rows of each table and a digest of them in any order. Both sides must format values the same. */
export async function figuresOf(sql: ISql, tables: readonly ShopTable[]): Promise<TableFigures> {
  await sql.unsafe(`set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
    set local bytea_output = 'hex'; set local extra_float_digits = 1`);
  const figures: TableFigures = new Map();
  for (const table of tables) {
    const [row] = await sql.unsafe<{ rows: string; digest: string }[]>(
      `select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as digest
       from (${selectFrom(table)}) t`,
    );
    if (row) figures.set(`${table.schema}.${table.name}`, { ...row });
  }
  return figures;
}

/** One line for each table that differs. */
export function tableDifferences(here: TableFigures, there: TableFigures): string[] {
  return [...here].flatMap(([name, { rows, digest }]) => {
    const other = there.get(name);
    if (other?.rows !== rows) return [`${name}: ${rows} rows here, ${other?.rows ?? 'no'} there`];
    return other.digest === digest ? [] : [`${name}: ${rows} rows on both sides, but not the same`];
  });
}
