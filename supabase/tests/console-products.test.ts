import { describe, expect, test } from 'vitest';
import { change, list, newSweet, openDemoShop, type Page, type Row, sql } from './console-products-harness.ts';

openDemoShop();

describe('the list', () => {
  test('shows every product with its stock, its cost and what it is sold for', async () => {
    const { rows, count, next, count_is_capped } = await list({ search: 'besan ladd' });
    expect({ count, next, count_is_capped }).toEqual({ count: 1, next: null, count_is_capped: false });
    const [stock] = await sql`select s.*, c.unit_cost from public.stock_levels s, lateral (
      select unit_cost from private.product_costs where product_id = s.product_id order by valid_from desc limit 1) c
      where product_id = ${rows[0]?.id as number}`;
    expect(rows[0]).toMatchObject({
      name: 'Besan Laddu',
      category: 'Laddu',
      price_paise: 32000,
      regular_price_paise: null,
      offer_percent: 0,
      gst_percent: 5,
      has_size: true,
      is_listed: true,
      archived_at: null,
      on_hand: stock?.on_hand,
      low_at: stock?.low_at,
      unit_cost_paise: Number(stock?.unit_cost) * 100,
    });
  });

  test.each(['name', 'price', 'stock', 'rating', 'margin', 'changed'])(
    'is complete and in order by %s, page by page',
    async (sort) => {
      for (const descending of [false, true]) {
        const whole = await list({ state: 'all' }, sort, descending, null, 2000);
        const seen: number[] = [];
        let after: Page['next'] = null;
        do {
          const page: Page = await list({ state: 'all' }, sort, descending, after, 7);
          seen.push(...page.rows.map(({ id }) => id));
          after = page.next;
        } while (after);
        expect(seen).toEqual(whole.rows.map(({ id }) => id));
        expect(new Set(seen).size).toBe(whole.count);
      }
    },
  );

  test('sorts by the chosen column', async () => {
    const prices = (await list({}, 'price', true)).rows.map((row) => row.price_paise);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    // These two have no calculated cost: they come first, to be completed.
    const unknown = (await list({}, 'margin')).rows.slice(0, 2).map((row) => row.unit_cost_paise);
    expect(unknown).toEqual([null, null]);
    const packs = (row: Row) => (Number(row.on_hand) - Number(row.reserved)) / (row.has_size ? 500 : 1);
    const stocked = (await list({}, 'stock')).rows.map(packs);
    expect(stocked).toEqual([...stocked].sort((a, b) => a - b));
  });

  test('finds by every word of the name in any order, by number, and treats % and _ as ordinary characters', async () => {
    const names = async (search: string) => (await list({ search })).rows.map(({ name }) => name);
    expect(await names('LADDU besan')).toEqual(['Besan Laddu']);
    expect(await names('no such sweet')).toEqual([]);
    expect(await names('%')).toEqual([]);
    expect(await names('_')).toEqual([]);
    const { id } = (await list({ search: 'Besan Laddu' })).rows[0] as Row;
    expect((await list({ search: `#${id}` })).rows.map((row) => row.id)).toContain(id);
    expect((await list({ search: '999999999999999' })).rows).toEqual([]);
    expect((await list({ search: ' ' })).count).toBeGreaterThan(30);
  });

  test('filters by category, state and stock', async () => {
    const all = (await list({ state: 'all' }, 'name', false, null, 2000)).rows;
    const ids = async (filter: object) => (await list(filter, 'name', false, null, 2000)).rows.map(({ id }) => id);
    const where = (is: (row: Row) => boolean) => all.filter(is).map(({ id }) => id);
    const { id: unlisted } = await newSweet();
    const archived = await newSweet();
    await change([{ id: archived.id, seen: archived.seen, changes: { is_archived: true } }]);
    expect(await ids({ category: 'Halwa' })).toEqual(where((row) => row.category === 'Halwa'));
    expect(await ids({ state: 'unlisted' })).toContain(unlisted);
    expect(await ids({ state: 'listed' })).toEqual(where((row) => Boolean(row.is_listed) && row.archived_at === null));
    expect(await ids({ state: 'sold_out' })).toEqual(where((row) => Boolean(row.is_listed) && !row.is_available));
    expect(await ids({ state: 'archived' })).toContain(archived.id);
    expect(await ids({})).not.toContain(archived.id);
    const low = await ids({ stock: 'low', state: 'listed' });
    const availableUnits = (row: Row) => Number(row.on_hand) - Number(row.reserved);
    expect(low).toEqual(
      where((row) => Boolean(row.is_listed) && Number(row.on_hand) > 0 && availableUnits(row) <= Number(row.low_at)),
    );
    expect(low.length).toBeGreaterThan(0);
    expect(await ids({ stock: 'out', state: 'listed' })).toEqual(
      where((row) => Boolean(row.is_listed) && row.on_hand === 0),
    );
  });

  type Asked = { filter?: object; sort?: string; after?: object; size?: number };
  test.each<[Asked, string]>([
    [{ filter: { state: 'gone' } }, 'state'],
    [{ filter: { stock: 'much' } }, 'stock'],
    [{ sort: 'colour' }, 'sort'],
    [{ after: {} }, 'after'],
    [{ after: { key: 'x', id: 'x' } }, 'after'],
    [{ after: { key: 'x', id: 1 }, sort: 'price' }, 'after'],
    [{ after: { key: 'x', id: 1 }, sort: 'changed' }, 'after'],
    [{ size: 0 }, 'page_size'],
    [{ size: 2001 }, 'page_size'],
  ])('refuses %j with a word at the field', async ({ filter = {}, sort = 'name', after, size = 50 }: Asked, field) => {
    await expect(list(filter, sort, false, after ?? null, size)).rejects.toMatchObject({
      code: 'PT422',
      detail: field,
    });
  });
});
