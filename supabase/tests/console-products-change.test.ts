import { describe, expect, test } from 'vitest';
import { as, insertPaidOrder, insertReview, insertUser, moveStock, newMark } from '../../tests/support/rows.ts';
import { asha, change, facts, newSweet, openDemoShop, read, refused, save, sql } from './console-products-harness.ts';

openDemoShop();

describe('changing many', () => {
  test('changes each product as requested and returns the current rows', async () => {
    const [a, b] = [await newSweet({ ...facts }), await newSweet({ ...facts })];
    const rows = await change([
      { id: a.id, seen: a.seen, changes: { price_paise: 26000, is_listed: true } },
      { id: b.id, seen: b.seen, changes: { gst_percent: 18, regular_price_paise: 30000 } },
    ]);
    expect(rows).toMatchObject([
      { id: a.id, price_paise: 26000, offer_percent: 0, is_listed: true },
      { id: b.id, gst_percent: 18, regular_price_paise: 30000, price_paise: 25000, offer_percent: 16 },
    ]);
    // What came back is what was seen: an undo needs no other question.
    const undone = await change(
      rows.map(({ id, updated_at }) => ({ id, seen: updated_at, changes: { price_paise: 25000 } })),
    );
    expect(undone.map((row) => row.price_paise)).toEqual([25000, 25000]);
    const log =
      await sql`select count(*)::int as n from public.audit_log where row_id in (${String(a.id)}, ${String(b.id)}) and action = 'update'`;
    expect(log[0]?.n).toBe(3);
  });

  test('one that another administrator changed, or that is refused, stops all of them and is named', async () => {
    const [a, b] = [await newSweet(), await newSweet({ ...facts, regular_price_paise: 26000 })];
    await save(b.id, { allergens: 'Milk' }, b.seen);
    const fresh = (await read(b.id)).row.updated_at;
    const price = { price_paise: 27000 };
    await expect(
      change([
        { id: a.id, seen: a.seen, changes: price },
        { id: b.id, seen: b.seen, changes: {} },
      ]),
    ).rejects.toMatchObject({
      code: 'PT409',
      detail: 'stale',
      message: expect.stringContaining(b.name),
    });
    await expect(
      change([
        { id: a.id, seen: a.seen, changes: price },
        { id: b.id, seen: fresh, changes: price },
      ]),
    ).rejects.toMatchObject(refused(new RegExp(`^${b.name}: The regular price`), 'regular_price_paise'));
    await expect(
      change([
        { id: a.id, seen: a.seen, changes: price },
        { id: 0, seen: fresh, changes: price },
      ]),
    ).rejects.toMatchObject({ code: 'PT404' });
    await expect(
      change([
        { id: a.id, seen: a.seen, changes: { is_listed: true } },
        { id: b.id, seen: fresh, changes: { is_listed: true } },
      ]),
    ).rejects.toMatchObject(
      refused(new RegExp(`^${a.name} cannot be listed yet. Missing: the veg or non-veg mark, `), 'food_mark'),
    );
    expect((await read(a.id)).row).toMatchObject({ price_paise: 25000, is_listed: false });
  });

  test.each([
    [null],
    [{}],
    [[]],
    [[{ id: 1, seen: '2026-01-01', changes: null }]],
    [[{ id: 1, seen: '2026-01-01', changes: { name: 'x' } }]],
  ])('refuses %j', async (products) => {
    const seen = (await read(1)).row.updated_at;
    const asked = Array.isArray(products) ? products.map((product) => ({ ...product, seen })) : products;
    await expect(change(asked)).rejects.toMatchObject({ code: 'PT422' });
  });

  test('archiving takes a product off the shelf and out of the combo packs; bringing back leaves it unlisted', async () => {
    const [pack] =
      await sql`select "Id"::int as id, "Name" as name, updated_at::text as seen from public."Products" where combo = 'family'`;
    const [row] = await change([{ id: pack?.id, seen: pack?.seen, changes: { is_archived: true } }]);
    expect(row).toMatchObject({ is_listed: false, is_available: false, archived_at: expect.any(String) });
    const heir = await newSweet({ name: pack?.name, combo: 'family' });
    await expect(
      change([{ id: pack?.id, seen: row?.updated_at, changes: { is_archived: false } }]),
    ).rejects.toMatchObject(refused(/called/, 'name'));
    await save(heir.id, { name: newMark('Heir') }, heir.seen);
    const [back] = await change([{ id: pack?.id, seen: row?.updated_at, changes: { is_archived: false } }]);
    expect(back).toMatchObject({ is_listed: false, archived_at: null });
    expect((await read(pack?.id)).draft.combo).toBeNull();
    const again = { id: pack?.id, seen: back?.updated_at, changes: { is_archived: true, is_listed: true } };
    await expect(change([again])).rejects.toMatchObject(refused(/archived/, 'is_listed'));
  });
});

describe('copies and deletions', () => {
  test('a copy is unlisted, carries the cost and finds a free name', async () => {
    const original = await newSweet({ ...facts, is_listed: true, unit_cost_paise: 7000 });
    await moveStock(sql, original.id, 500, 'production');
    const copy = async () =>
      (await as(sql, asha, (tx) => tx`select public.admin_duplicate_product(${original.id}) as answer`))[0]?.answer.id;
    const [one, two] = [await copy(), await copy()];
    const { draft, row, has_stock_history } = await read(one);
    expect(draft).toEqual({ ...(await read(original.id)).draft, name: `${original.name} (copy)`, is_listed: false });
    expect({ on_hand: row.on_hand, has_stock_history }).toEqual({ on_hand: 0, has_stock_history: false });
    expect((await read(two)).draft.name).toBe(`${original.name} (copy 2)`);
  });

  const remove = async (id: number, seen: string) =>
    (
      await as(sql, asha, (tx) => tx`select public.admin_delete_product(${id}, ${seen}::text::timestamptz) as answer`)
    )[0]?.answer;

  test('a product that was only ever a draft can be deleted', async () => {
    const { id, seen } = await newSweet({
      unit_cost_paise: 100,
      image: '/storage/v1/object/public/products/x-960.webp',
    });
    await expect(remove(id, '2026-01-01')).rejects.toMatchObject({ detail: 'stale' });
    expect(await remove(id, seen)).toEqual({ unused_images: ['/storage/v1/object/public/products/x-960.webp'] });
    expect(await read(id)).toBeNull();
    await expect(remove(id, seen)).rejects.toMatchObject({ code: 'PT404' });
  });

  test('a product that was sold, stocked or reviewed cannot be deleted', async () => {
    const reviewed = await newSweet();
    await insertReview(sql, { userId: await insertUser(sql), productId: reviewed.id });
    await expect(remove(reviewed.id, reviewed.seen)).rejects.toMatchObject({
      code: 'PT409',
      message: expect.stringMatching(/Archive/),
    });
    const stocked = await newSweet();
    await moveStock(sql, stocked.id, 500, 'production');
    await expect(remove(stocked.id, stocked.seen)).rejects.toMatchObject({ code: 'PT409' });
    await insertPaidOrder(sql, { userId: asha.userId, productId: stocked.id, quantity: 1 });
    await expect(remove(stocked.id, stocked.seen)).rejects.toMatchObject({
      message: expect.stringMatching(/^It was sold/),
    });
    expect((await read(stocked.id)).is_deletable).toBe(false);
  });
});
