// What the tests of the console's products share: a demo shop, an administrator, and the requests as she makes them.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser, newMark } from '../../tests/support/rows.ts';

export type Row = { id: number; name: string; price_paise: number; updated_at: string } & Record<string, unknown>;
export type Page = { rows: Row[]; next: Record<string, unknown> | null; count: number; count_is_capped: boolean };
export type Saved = { id: number; updated_at: string; unused_images: string[] };

export let sql: Sql;
export let asha: { userId: string };

/** For the tests of one file; at their end the books must still be in order. */
export function openDemoShop({ isEmpty = false } = {}): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newDatabase(inject('postgresPath'), isEmpty ? 'empty' : 'demo');
    sql = database.sql;
    asha = { userId: await insertUser(sql, { name: 'Asha', administrator: true }) };
  });
  afterAll(async () => {
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
    await database.drop();
  });
}

const json = (value: unknown) => sql.json(value as never);

export async function list(
  filter: object = {},
  sort = 'name',
  descending = false,
  after: unknown = null,
  size = 50,
): Promise<Page> {
  const cursor = after === null ? null : json(after);
  const [answer] = await as(
    sql,
    asha,
    (tx) => tx`select public.admin_list_products(${json(filter)}, ${sort}, ${descending}, ${cursor}, ${size}) as page`,
  );
  return answer?.page;
}

export async function read(id: number) {
  const [row] = await as(sql, asha, (tx) => tx`select public.admin_read_product(${id}) as answer`);
  return row?.answer;
}

/** `seen` goes as text: a Date of JavaScript knows no microseconds. */
export async function save(id: number | null, changes: object, seen: string | null = null): Promise<Saved> {
  const [row] = await as(
    sql,
    asha,
    (tx) => tx`select public.admin_save_product(${json(changes)}, ${id}, ${seen}::text::timestamptz) as answer`,
  );
  return row?.answer;
}

export async function change(products: unknown): Promise<Row[]> {
  const [row] = await as(sql, asha, (tx) => tx`select public.admin_change_products(${json(products)}) as answer`);
  return row?.answer;
}

export const sweet = () => ({ name: newMark('Sweet'), category: 'Laddu', price_paise: 25000, has_size: true });
export const facts = {
  food_mark: 'veg',
  ingredients: 'Gram flour, ghee',
  allergens: 'Milk',
  shelf_life_days: 12,
  storage: 'Cool and dry',
};

export async function newSweet(changes: object = {}): Promise<{ id: number; seen: string; name: string }> {
  const values = { ...sweet(), ...changes };
  const { id, updated_at } = await save(null, values);
  return { id, seen: updated_at, name: values.name };
}

export const refused = (message: RegExp, field: string) => ({
  code: 'PT422',
  message: expect.stringMatching(message),
  detail: field,
});
