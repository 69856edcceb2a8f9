import { describe, expect, test } from 'vitest';
import { as } from '../../tests/support/rows.ts';
import { type Args, callConsole } from './call-console.ts';
import { asha, facts, newSweet, openDemoShop, read, refused, save, sql } from './console-products-harness.ts';

openDemoShop();

type Category = {
  id: number;
  name: string;
  colour: string | null;
  is_fixed: boolean;
  products: number;
  updated_at: string;
};
const ask = <T>(name: string, args: Args = {}) => callConsole<T>(sql, asha, name, args);
const list = () => ask<Category[]>('admin_list_categories');
const find = async (name: string) => (await list()).find((row) => row.name === name) as Category;
const add = async (name: string, colour: string | null = null) => {
  await ask('admin_save_category', { name, colour });
  return find(name);
};
const change = ({ id, updated_at }: Category, name: string, colour: string | null = null) =>
  ask('admin_save_category', { name, colour, category_id: id, seen: updated_at });
const remove = ({ id, updated_at }: Category) => ask('admin_delete_category', { category_id: id, seen: updated_at });
const frame = async () => (await as(sql, 'anon', (tx) => tx`select public.page_frame() as frame`))[0]?.frame;
const changes = async () => (await sql`select count(*)::int as count from public.page_changes`)[0]?.count;

describe('the five of the specification', () => {
  test('are there from the start and are in the page’s frame no second time', async () => {
    expect((await list()).filter(({ is_fixed }) => is_fixed).map(({ name }) => name)).toEqual([
      'Chocolate',
      'Laddu',
      'Halwa',
      'Gift',
      'Takeaway',
    ]);
    expect((await frame()).categories).toEqual([]);
  });

  test('cannot be renamed, recoloured or removed by any role', async () => {
    const halwa = await find('Halwa');
    const message = "Halwa is one of the shop's first five categories and stays as it is.";
    await expect(change(halwa, 'Halva')).rejects.toMatchObject({ code: 'PT422', message });
    await expect(change(halwa, 'Halwa', '#112233')).rejects.toMatchObject({ code: 'PT422', message });
    await expect(remove(halwa)).rejects.toMatchObject({ code: 'PT409' });
    await expect(sql`delete from public.categories where name = 'Halwa'`).rejects.toMatchObject({ message });
    await expect(sql`update public.categories set position = 99 where name = 'Halwa'`).rejects.toMatchObject({
      message,
    });
    expect(await find('Halwa')).toEqual(halwa);
  });
});

describe('a category of the owner', () => {
  test('takes products, shows on pages in its order, and invalidates them when it changes', async () => {
    const told = await changes();
    const barfi = await add('Barfi', '#102A6B');
    await add('Namkeen');
    expect((await frame()).categories).toEqual([
      { name: 'Barfi', colour: '#102a6b' },
      { name: 'Namkeen', colour: null },
    ]);
    const { id } = await newSweet({ ...facts, is_listed: true, category: 'Barfi' });
    const [page] = await as(
      sql,
      'anon',
      (tx) => tx`select public.shop_page(array['Barfi'], 0, 100000, 'bs', 48) as page`,
    );
    expect(page?.page).toMatchObject([{ category: 'Barfi', total: 1, products: [{ Id: id }] }]);
    const own = (await list()).filter(({ is_fixed }) => !is_fixed);
    await ask('admin_order_categories', { category_ids: own.map((row) => row.id).reverse() as never });
    expect((await frame()).categories.map(({ name }: Category) => name)).toEqual(['Namkeen', 'Barfi']);
    const [box] = await as(
      sql,
      'anon',
      (tx) => tx`select public.shop_page(array['Laddu', '*', 'Gift'], 0, 0, 'bs', 48) as page`,
    );
    expect(box?.page.map((section: { category: string }) => section.category)).toEqual([
      'Laddu',
      'Namkeen',
      'Barfi',
      'Gift',
    ]);
    expect(await changes()).toBeGreaterThanOrEqual(told + 4);

    await change(await find('Barfi'), 'Mithai & Barfi', '#ffcc00');
    expect((await read(id)).draft).toMatchObject({ category: 'Mithai & Barfi' });
    const [log] = await sql`select action, before, after from public.audit_log
      where table_name = 'categories' and row_id = ${String(barfi.id)} order by id desc limit 1`;
    expect(log).toMatchObject({ action: 'update', before: { name: 'Barfi' }, after: { name: 'Mithai & Barfi' } });
  });

  test('is shown once, however often a caller names it', async () => {
    await add('Chikki');
    const named = ['Laddu', ...Array.from({ length: 900 }, () => ['*', 'Laddu']).flat()];
    const [answer] = await as(
      sql,
      'anon',
      (tx) => tx`select public.shop_page(${named}, 0, 100000, 'bs', 1000000) as page`,
    );
    const shown = answer?.page.map(({ category }: { category: string }) => category);
    expect(shown).toEqual([...new Set(shown)]);
    expect(shown).toEqual(['Laddu', ...(await frame()).categories.map(({ name }: Category) => name)]);
  });

  test('with products is not deleted, and the message says what to do', async () => {
    const category = await add('Ghevar');
    const { id, seen } = await newSweet({ category: 'Ghevar' });
    await expect(remove(await find('Ghevar'))).rejects.toMatchObject({
      code: 'PT409',
      message: 'Ghevar has 1 product, so it cannot be deleted. Move it to another category first.',
    });
    await expect(sql`delete from public.categories where id = ${category.id}`).rejects.toMatchObject({ code: '23503' });
    await save(id, { category: 'Laddu' }, seen);
    await remove(await find('Ghevar'));
    expect(await find('Ghevar')).toBeUndefined();
  });

  test('has a unique name that fits in addresses and pages', async () => {
    await add('Peda');
    for (const name of ['peda', ' PEDA ', 'laddu'])
      await expect(add(name)).rejects.toMatchObject(refused(/^There is a category called .* already\.$/, 'name'));
    for (const name of ['', 'x', 'All', 'a"b', '<b>', 'a{b}', 'x'.repeat(41)])
      await expect(add(name), name).rejects.toMatchObject(refused(/./, 'name'));
    await expect(add('Red', 'red')).rejects.toMatchObject(refused(/Choose a colour/, 'colour'));
    for (const name of ['a"b', 'all', ' x ', 'a\nb'])
      await expect(sql`insert into public.categories (name, position) values (${name}, 9)`, name).rejects.toMatchObject(
        { code: '23514' },
      );
  });

  test('is not changed over another administrator’s change', async () => {
    const seen = await add('Rabri');
    await change(seen, 'Rabdi');
    await expect(change(seen, 'Rabri again')).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
    await expect(ask('admin_order_categories', { category_ids: [seen.id] as never })).rejects.toMatchObject({
      code: 'PT409',
    });
  });

  test('is for administrators to add', async () => {
    await expect(as(sql, 'anon', (tx) => tx`select public.admin_save_category('Hack')`)).rejects.toMatchObject({
      code: '42501',
    });
  });
});

test('a product is in a category that there is', async () => {
  const message = /^Choose Halwa, Chocolate, Laddu, Takeaway, Gift, .* or .*\.$/;
  await add('Sandesh');
  await expect(newSweet({ category: 'Nowhere' })).rejects.toMatchObject(refused(message, 'category'));
  await expect(newSweet({ category: null })).rejects.toMatchObject(refused(message, 'category'));
  await expect(
    sql`update public."Products" set "Category" = 'Nowhere' where "Id" = (select min("Id") from public."Products")`,
  ).rejects.toMatchObject({ code: '23503' });
});
