import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as } from '../../tests/support/rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
});
afterAll(() => database.drop());

type Card = { Id: number; Name: string; Price: number; Rating: number | null; Category: string; isavailable: boolean };
const asVisitor = async <T>(call: string, args: (string | number | string[] | null)[] = []): Promise<T> => {
  const [row] = await as(database.sql, 'anon', (tx) => tx.unsafe(`select ${call} as result`, args));
  return row?.result as T;
};
const shelf = async (sort: string, from = 0, to = 1_000_000): Promise<Card[]> => {
  const [section] = await asVisitor<{ products: Card[] }[]>('public.shop_page($1, $2, $3, $4, 480)', [
    ['Laddu'],
    from,
    to,
    sort,
  ]);
  return section?.products ?? [];
};

describe('the home page', () => {
  test('shows available products without takeaway', async () => {
    const { products } = await asVisitor<{ products: Card[] }>('public.home_page()');
    expect(products.length).toBeGreaterThan(10);
    expect(products.filter((card) => !card.isavailable || card.Category === 'Takeaway')).toEqual([]);
  });

  test('has the combo packs halwa, chocolate, laddu and family in this order', async () => {
    const { combos } = await asVisitor<{ combos: { combo: string }[] }>('public.home_page()');
    expect(combos.map(({ combo }) => combo)).toEqual(['halwa', 'chocolate', 'laddu', 'family']);
  });
});

describe('the shop', () => {
  const prices = (cards: Card[]) => cards.map(({ Price }) => Number(Price));

  test('filters prices above the lower and up to the upper limit', async () => {
    const all = prices(await shelf('l-h'));
    const [limit, next] = [all[1], all.find((price) => price > (all[1] ?? 0))];
    expect(Math.max(...prices(await shelf('bs', 0, limit)))).toBe(limit);
    expect(Math.min(...prices(await shelf('bs', limit)))).toBe(next);
  });

  test('sorts by the lowest or the highest price first', async () => {
    const rising = prices(await shelf('l-h'));
    expect(rising.length).toBeGreaterThan(3);
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(prices(await shelf('h-l'))).toEqual(rising.toReversed());
  });

  test('shows the highest rating first when sorted by best selling', async () => {
    const ratings = (await shelf('bs')).map(({ Rating }) => Number(Rating ?? -1));
    expect(ratings).toEqual(ratings.toSorted((a, b) => b - a));
  });
});

test('a product is found by its name in any case', async () => {
  const byName = (name: string) => asVisitor<number | null>('public.product_id_by_name($1)', [name]);
  const id = await byName('Besan Laddu');
  expect(id).not.toBeNull();
  expect(await byName('  bEsAn LADDU ')).toEqual(id);
  expect(await byName('besan')).toBeNull();
});
