import { describe, expect, test } from 'vitest';
import { as, insertPaidOrder, insertUser, moveStock, newMark } from '../../tests/support/rows.ts';
import { asha, facts, newSweet, openDemoShop, read, refused, save, sql } from './console-products-harness.ts';

openDemoShop();

const picture = (mark: string) => `/storage/v1/object/public/products/${mark}-960.webp`;
const pageOf = async (id: number) => {
  const [row] = await as(sql, 'anon', (tx) => tx`select public.product_page(${id}) as page`);
  return row?.page;
};
const rowsOf = (id: number) =>
  sql`select position, image, alt from public.product_pictures where product_id = ${id} order by position`;

describe('pictures of a product', () => {
  test('come after the first in the order in which they were saved, and visitors see them', async () => {
    const [one, two, three] = [picture(newMark('a')), picture('b'), picture('c')].map((p) => p.replaceAll(' ', '-'));
    const { id } = await newSweet({
      ...facts,
      is_listed: true,
      image: one,
      more_pictures: `${two}  cut open | ${three}`,
      taste: ' Nutty. ',
      travel: 'In a tin.',
    });
    expect((await read(id)).draft).toMatchObject({
      image: one,
      more_pictures: `${two} cut open | ${three}`,
      taste: 'Nutty.',
      travel: 'In a tin.',
    });
    expect(await pageOf(id)).toMatchObject({
      Image: one,
      taste: 'Nutty.',
      travel: 'In a tin.',
      pictures: [
        { image: two, alt: 'cut open' },
        { image: three, alt: '' },
      ],
    });
    const { row } = await read(id);
    await save(id, { image: three, more_pictures: `${one} whole` }, row.updated_at);
    expect(await rowsOf(id)).toEqual([{ position: 2, image: one, alt: 'whole' }]);
  });

  test('stay as they are when a change does not name them, and the log names only what changed', async () => {
    const { id, seen } = await newSweet({ more_pictures: '/a.webp one | /b.webp two' });
    await save(id, { price_paise: 26000 }, seen);
    expect(await rowsOf(id)).toHaveLength(2);
    await save(id, { more_pictures: '/a.webp one | /b.webp other' }, (await read(id)).row.updated_at);
    const log = await sql`select action, before, after from public.audit_log
      where table_name = 'product_pictures' and row_id = ${String(id)} order by id`;
    expect(log.slice(2)).toEqual([{ action: 'update', before: { alt: 'two' }, after: { alt: 'other' } }]);
  });

  test('of products that are not listed are not for visitors', async () => {
    const { id } = await newSweet({ more_pictures: '/secret.webp' });
    const seen = await as(sql, 'anon', (tx) => tx`select * from public.product_pictures where product_id = ${id}`);
    expect(seen).toEqual([]);
    expect(await pageOf(id)).toBeNull();
  });

  test.each([
    ['javascript:alert(1)', /address/],
    [Array.from({ length: 8 }, (_, n) => `/${n}.webp`).join(' | '), /at most 8/],
    [`/a.webp ${'x'.repeat(161)}`, /160/],
    ['/a.webp | /a.webp', /twice/],
  ])('are refused as %s', async (more_pictures, message) => {
    const { id, seen } = await newSweet();
    await expect(save(id, { more_pictures }, seen)).rejects.toMatchObject(refused(message, 'more_pictures'));
    expect(await rowsOf(id)).toEqual([]);
  });

  test('whose files nothing shows any longer are named, and others are not', async () => {
    const mark = newMark('f').replaceAll(' ', '-');
    const [mine, shared] = [picture(`${mark}-mine`), picture(`${mark}-shared`)];
    const { id, seen } = await newSweet({ image: mine, more_pictures: shared });
    await newSweet({ more_pictures: shared });
    // A picture that moves from the first place to another is still shown.
    const swapped = await save(id, { image: shared, more_pictures: mine }, seen);
    expect(swapped.unused_images).toEqual([]);
    expect((await save(id, { image: '', more_pictures: '' }, swapped.updated_at)).unused_images).toEqual([mine]);
  });

  test('go with a copy, and with a product that is deleted', async () => {
    const { id } = await newSweet({ more_pictures: '/a.webp one', taste: 'Sweet' });
    const [copy] = await as(sql, asha, (tx) => tx`select public.admin_duplicate_product(${id}) ->> 'id' as id`);
    expect((await read(Number(copy?.id))).draft).toMatchObject({ more_pictures: '/a.webp one', taste: 'Sweet' });
    const seen = (await read(id)).row.updated_at;
    await as(sql, asha, (tx) => tx`select public.admin_delete_product(${id}, ${seen}::text::timestamptz)`);
    expect(await rowsOf(id)).toEqual([]);
  });
});

describe('goes well with', () => {
  const count = async (at: string) =>
    (await sql`select public.count_product_pairs(${at}::text::timestamptz) as done`)[0]?.done;
  const suggestions = async (id: number): Promise<number[]> => {
    const [row] = await as(sql, 'anon', (tx) => tx`select public.goes_well_with(${id}) as cards`);
    return ((row?.cards ?? []) as { Id: number }[]).map(({ Id }) => Id);
  };
  const available = async (category: string) => {
    const { id } = await newSweet({ ...facts, category, is_listed: true });
    await moveStock(sql, id, 50_000, 'production');
    return id;
  };
  /** One customer with both in one order. */
  async function buyBoth(first: number, second: number, userId: string) {
    const { id: orderId } = await insertPaidOrder(sql, { userId, productId: first });
    await sql`alter table public.order_items disable trigger user`;
    await sql`insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
      values (${orderId}, ${second}, 'Sweet', 1, 500, 250, 5, '2106', true)`;
    await sql`alter table public.order_items enable trigger user`;
    return orderId;
  }

  test('names what three customers bought together, before the rest of its category', async () => {
    const [laddu, halwa] = [await available('Laddu'), await available('Halwa')];
    const orders = [];
    for (let n = 0; n < 3; n += 1) orders.push(await buyBoth(laddu, halwa, await insertUser(sql)));
    await count('2099-01-01');
    expect(await suggestions(laddu), 'orders older than 180 days do not count').not.toContain(halwa);
    await sql`delete from private.product_pair_counts`;
    expect(await count(new Date(Date.now() + 60_000).toISOString())).toBe(true);
    expect((await suggestions(laddu))[0]).toBe(halwa);
    expect(await suggestions(laddu)).toHaveLength(4);
    await sql`update public."Products" set is_listed = false where "Id" = ${halwa}`;
    expect(await suggestions(laddu)).not.toContain(halwa);
    // Their rows would leave books that do not add up.
    await sql`alter table public.order_items disable trigger user`;
    await sql`delete from public.order_items where order_id = any (${orders}) and product_id = ${halwa}`;
    await sql`alter table public.order_items enable trigger user`;
  });

  test('never tells what one customer bought, however often', async () => {
    const [laddu, halwa] = [await available('Laddu'), await available('Halwa')];
    const customer = await insertUser(sql);
    const orders = [];
    for (let n = 0; n < 4; n += 1) orders.push(await buyBoth(laddu, halwa, customer));
    await sql`delete from private.product_pair_counts`;
    await count(new Date(Date.now() + 60_000).toISOString());
    expect(await suggestions(laddu)).not.toContain(halwa);
    expect(await sql`select * from private.product_pairs where product_id = ${laddu}`).toEqual([]);
    await sql`alter table public.order_items disable trigger user`;
    await sql`delete from public.order_items where order_id = any (${orders}) and product_id = ${halwa}`;
    await sql`alter table public.order_items enable trigger user`;
  });

  test('is counted once a day, and again when the clock was ahead', async () => {
    await sql`delete from private.product_pair_counts`;
    expect(await count('2030-01-02T10:00:00Z')).toBe(true);
    expect(await count('2030-01-03T09:00:00Z')).toBe(false);
    expect(await count('2030-01-03T10:00:00Z')).toBe(true);
    expect(await count('2030-01-01T10:00:00Z')).toBe(true);
  });

  test('keeps the counter’s takeaway apart from what is sent', async () => {
    const [samosa, laddu] = [await available('Takeaway'), await available('Laddu')];
    const [takeaway] =
      await sql`select array_agg("Id"::int) as ids from public."Products" where "Category" = 'Takeaway'`;
    for (const id of await suggestions(samosa)) expect(takeaway?.ids).toContain(id);
    for (const id of await suggestions(laddu)) expect(takeaway?.ids).not.toContain(id);
  });

  test('is closed to visitors where it counts, and says nothing of unknown products', async () => {
    await expect(as(sql, 'anon', (tx) => tx`select public.count_product_pairs()`)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(as(sql, 'anon', (tx) => tx`select * from private.product_pairs`)).rejects.toMatchObject({
      code: '42501',
    });
    expect(await suggestions(999_999_999)).toEqual([]);
  });
});
