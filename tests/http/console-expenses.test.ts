import { beforeAll, expect, inject, test } from 'vitest';
import { publicEnvironment, type ShopClient, signInAs, tokenOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let administrator: ShopClient;
beforeAll(async () => {
  administrator = await signInAs(shopUrl, { account: 'Asha Rao' });
});

type List = { rows: { id: number; category: string }[]; next: { key: string; id: number } | null; count: number };
async function list(filter: object, after: List['next'] = null): Promise<List> {
  const { data, error } = await administrator.rpc('admin_list_expenses', {
    filter: filter as never,
    by: 'date',
    after,
  });
  expect(error).toBeNull();
  return data as unknown as List;
}

test('filters and page cursors arrive as objects, and a missing one as null', async () => {
  const first = await list({});
  expect(first.count).toBeGreaterThan(first.rows.length);
  const second = await list({}, first.next);
  expect(second.rows.length).toBeGreaterThan(0);
  const shown = new Set(first.rows.map(({ id }) => id));
  expect(second.rows.filter(({ id }) => shown.has(id))).toEqual([]);
  const category = first.rows[0]?.category ?? '';
  expect((await list({ category })).rows.every((row) => row.category === category)).toBe(true);
});

test('the accountant’s file has as many expenses as the list', async () => {
  const [{ key }, { rows, count }] = [await publicEnvironment(shopUrl), await list({})];
  const { category } = rows[0] ?? { category: '' };
  for (const [filter, expected] of [
    [{}, count],
    [{ category }, (await list({ category })).count],
  ] as const) {
    const query = new URLSearchParams({ what: 'expenses', filter: JSON.stringify(filter) });
    const response = await fetch(`${backendUrl}/functions/v1/exportCsv?${query}`, {
      headers: { apikey: key, authorization: `Bearer ${await tokenOf(administrator)}` },
    });
    const lines = (await response.text()).trim().split('\r\n');
    expect(lines).toHaveLength(expected + 1);
  }
});
