import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backedOfferPercent, isOfferBacked } from '../../domain/products/backed-offer.ts';
import { as, insertUser } from '../../tests/support/rows.ts';
import { asha, change, list, newSweet, openDemoShop, read, refused, save, sql } from './console-products-harness.ts';

openDemoShop();

/** As an older shop has it: written past the console. */
async function stored(id: number, values: { offer_percent: number | null; regular_price?: number | null }) {
  const { offer_percent, regular_price = null } = values;
  const [row] =
    await sql`update public."Products" set offer_percent = ${offer_percent}, regular_price = ${regular_price}
    where "Id" = ${id} returning updated_at::text as seen`;
  return row?.seen as string;
}
const tagOf = async (id: number) =>
  (await sql`select offer_percent as tag from public."Products" where "Id" = ${id}`)[0]?.tag;
async function importRow(values: object, dryRun = true, fingerprint: string | null = null) {
  const rows = sql.json([{ line: 2, values }] as never);
  const [row] = await as(
    sql,
    asha,
    (tx) => tx`select public.admin_import_products(${rows}, ${dryRun}, ${fingerprint}) as answer`,
  );
  return row?.answer;
}

test('SQL and the console calculate the same tag', async () => {
  const amount = fc.integer({ min: 100, max: 20_000_000 });
  const cases = fc.sample(fc.tuple(amount, fc.option(amount), fc.option(fc.integer({ min: 0, max: 90 }))), 500);
  const rows = await sql`
    select private.calculate_offer(c.price, c.regular)::int as tag,
           private.is_offer_backed(c.offer::smallint, c.price, c.regular) as is_backed
    from unnest(${cases.map(([price]) => price)}::numeric[], ${cases.map(([, regular]) => regular)}::numeric[],
                ${cases.map(([, , offer]) => offer)}::int[]) with ordinality as c (price, regular, offer, n) order by c.n`;
  expect(rows.map(({ tag, is_backed }) => [tag, is_backed])).toEqual(
    cases.map(([pricePaise, regularPricePaise, offerPercent]) => [
      backedOfferPercent({ pricePaise, regularPricePaise }),
      isOfferBacked({ pricePaise, regularPricePaise, offerPercent }),
    ]),
  );
});

describe('saving a product', () => {
  test('calculates the tag, and never writes null', async () => {
    const { id, seen } = await newSweet({ regular_price_paise: 40_000 });
    expect(await tagOf(id)).toBe(37);
    const again = await save(id, { offer_percent: null, price_paise: 36_000 }, seen);
    expect(await tagOf(id)).toBe(10);
    await save(id, { regular_price_paise: null }, again.updated_at);
    expect(await tagOf(id)).toBe(0);
  });

  test.each<[object, RegExp]>([
    [{ offer_percent: 60 }, /no offer to show/],
    [{ offer_percent: 60, regular_price_paise: 40_000 }, /it is 37% off/],
    [{ offer_percent: 0, regular_price_paise: 40_000 }, /it is 37% off/],
  ])('refuses %j', async (changes, message) => {
    const { id, seen } = await newSweet();
    await expect(save(id, changes, seen)).rejects.toMatchObject(refused(message, 'offer_percent'));
    await expect(newSweet(changes)).rejects.toMatchObject(refused(message, 'offer_percent'));
    await expect(change([{ id, seen, changes }])).rejects.toMatchObject(refused(message, 'offer_percent'));
  });

  test('an untrue tag is no excuse for keeping it', async () => {
    const { id } = await newSweet();
    const seen = await stored(id, { offer_percent: 60 });
    await expect(save(id, { offer_percent: 60, description: 'New' }, seen)).rejects.toMatchObject(
      refused(/no offer to show/, 'offer_percent'),
    );
    await save(id, { description: 'New' }, seen);
    expect(await tagOf(id)).toBe(0);
  });

  test('a copy gets the tag its prices make', async () => {
    const { id } = await newSweet();
    await stored(id, { offer_percent: 60 });
    const [row] = await as(sql, asha, (tx) => tx`select public.admin_duplicate_product(${id}) as answer`);
    expect(await tagOf(row?.answer.id)).toBe(0);
  });
});

test('a price changed in the list takes the tag along', async () => {
  const [a, b] = [await newSweet({ regular_price_paise: 50_000 }), await newSweet()];
  const seen = await stored(b.id, { offer_percent: null });
  const rows = await change([
    { id: a.id, seen: a.seen, changes: { price_paise: 40_000 } },
    { id: b.id, seen, changes: { price_paise: 40_000 } },
  ]);
  expect(rows.map(({ offer_percent }) => offer_percent)).toEqual([20, 0]);
});

describe('importing', () => {
  test('calculates the tag where the cell is empty, and refuses an untrue one', async () => {
    const { name } = await newSweet();
    const row = { name, price_paise: 30_000, regular_price_paise: 40_000 };
    const plan = await importRow(row);
    expect(plan.rows[0].changes).toContainEqual({ field: 'offer_percent', from: 0, to: 25 });
    expect((await importRow({ ...row, offer_percent: 30 })).rows[0]).toMatchObject({
      action: 'refused',
      problems: [{ field: 'offer_percent', message: expect.stringMatching(/it is 25% off/) }],
    });
  });

  test('leaves a stored tag alone where the row changes nothing', async () => {
    const { id, name } = await newSweet();
    await stored(id, { offer_percent: null });
    expect((await importRow({ id, name })).rows[0].action).toBe('unchanged');
    expect((await importRow({ id, name, hsn: '1806' })).rows[0].changes).toContainEqual({
      field: 'offer_percent',
      from: null,
      to: 0,
    });
  });
});

describe('an administrator writing past the console', () => {
  const write = (id: number, values: string) =>
    as(sql, asha, (tx) =>
      tx.unsafe(`update public."Products" set ${values} where "Id" = ${id} returning offer_percent`),
    );

  test('cannot store an untrue tag or a null', async () => {
    const { id } = await newSweet();
    await expect(write(id, 'offer_percent = 60')).rejects.toMatchObject(refused(/no offer to show/, 'offer_percent'));
    await expect(write(id, 'offer_percent = 60, regular_price = 300')).rejects.toMatchObject(
      refused(/it is 16% off/, 'offer_percent'),
    );
    expect(await write(id, 'offer_percent = null, regular_price = 500')).toMatchObject([{ offer_percent: 50 }]);
    expect(await write(id, '"Price" = 400')).toMatchObject([{ offer_percent: 20 }]);
    const [added] = await as(
      sql,
      asha,
      (tx) => tx`insert into public."Products" ("Name", "Price", "Category") values ('Past the console', 100, 'Gift')
        returning offer_percent`,
    );
    expect(added?.offer_percent).toBe(0);
  });

  test('leaves a stored null alone while the prices stay', async () => {
    const { id } = await newSweet();
    await stored(id, { offer_percent: null });
    expect(await write(id, `"Description" = 'New', "Price" = "Price"`)).toMatchObject([{ offer_percent: null }]);
  });
});

test('lists the products whose tag is not backed, and only those', async () => {
  const filter = { state: 'offer_unbacked' };
  const before = (await list(filter)).rows.map(({ id }) => id);
  const tags = [null, 60, 0].map(async (offer_percent) => {
    const { id } = await newSweet();
    await stored(id, { offer_percent });
    return id;
  });
  const [empty, sixty] = await Promise.all(tags);
  const { rows } = await list(filter);
  expect(
    rows
      .map(({ id }) => id)
      .filter((id) => !before.includes(id))
      .sort(),
  ).toEqual([empty, sixty].sort());
  // The demo shop's one null stands beside a regular price that makes it true.
  expect(rows.map(({ name }) => name)).not.toContain('Motichoor Laddu');
  expect((await read(empty ?? 0)).row.offer_percent).toBeNull();
});

test('customers cannot write tags at all', async () => {
  const { id } = await newSweet();
  const customer = { userId: await insertUser(sql) };
  const writing = as(sql, customer, (tx) => tx`update public."Products" set offer_percent = 60 where "Id" = ${id}`);
  await expect(writing).rejects.toMatchObject({ code: '42501' });
  expect(await tagOf(id)).toBe(0);
});
