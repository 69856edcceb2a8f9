// No product is listed without its facts, whichever way it is written.
import { describe, expect, test } from 'vitest';
import { isBlank, listingFacts, listingGaps, listingNeeds } from '../../domain/products/listing-gaps.ts';
import { shopGaps } from '../../domain/shop/shop-gaps.ts';
import {
  as,
  foodFacts,
  insertProduct,
  insertReview,
  insertUser,
  moveStock,
  newMark,
} from '../../tests/support/rows.ts';
import {
  asha,
  change,
  facts,
  list,
  newSweet,
  openDemoShop,
  read,
  refused,
  save,
  sql,
  sweet,
} from './console-products-harness.ts';

openDemoShop();

type Facts = Record<string, unknown>;
const without: [field: string, facts: Facts, words: RegExp][] = [
  ['food_mark', { ...foodFacts, food_mark: null }, /the veg or non-veg mark/],
  ['ingredients', { ...foodFacts, ingredients: ' \n' }, /the ingredients/],
  ['allergens', { ...foodFacts, allergens: '' }, /the allergens \(None, if there are none\)/],
  ['shelf_life_days', { ...foodFacts, shelf_life_days: null }, /the shelf life/],
  ['storage', { ...foodFacts, storage: '\t' }, /how it is stored/],
  ['ingredients', { ...foodFacts, ingredients: '\u200b\ufeff' }, /the ingredients/],
  ['allergens', { ...foodFacts, allergens: '\u2060 \u3164' }, /the allergens \(None, if there are none\)/],
];

/** As in an older shop: listed since before the mark was required. */
async function oldProduct(lacking: Facts = { food_mark: null }) {
  const name = newMark('Old');
  const id = await insertProduct(sql, { name, stock: 10 });
  await sql`alter table public."Products" disable trigger products_guard_listing`;
  await sql`update public."Products" set ${sql(lacking)} where "Id" = ${id}`;
  await sql`alter table public."Products" enable trigger products_guard_listing`;
  const row = (await read(id)).row as { id: number; name: string; updated_at: string };
  return { id, name, seen: row.updated_at };
}

test('invisible characters count as empty, in the form and in the database', async () => {
  const signs = [
    ...Array(0x3100).keys(),
    0x3164,
    0xfe0f,
    0xfeff,
    0xffa0,
    0xfff0,
    0xfffd,
    0x1f36c,
    0xe0001,
    0xe0fff,
    0xe1000,
  ];
  const texts = ['', 'None', 'दूध', 'a\u200b', '-', ...signs.slice(1).map((sign) => String.fromCodePoint(sign))];
  const rows = await sql<{ words: string; blank: boolean }[]>`
    select words, private.is_blank(words) as blank from unnest(${texts}::text[]) words`;
  const parted = rows.filter(({ words, blank }) => isBlank(words) !== blank);
  expect(parted.map(({ words }) => words.codePointAt(0)?.toString(16))).toEqual([]);
  const blank = new Set(rows.filter((row) => row.blank).map(({ words }) => words));
  expect(['\u200b', '\u2060', '\u00ad', '\u00a0', '\u3164', '\ufeff', ''].filter((words) => !blank.has(words))).toEqual(
    [],
  );
  expect(['None', 'दूध', 'a\u200b', '-'].filter((words) => blank.has(words))).toEqual([]);
});

describe('written straight into the table by an administrator', () => {
  test.each(without)('%s missing: neither inserted as listed, nor listed later', async (field, lacking, words) => {
    const name = newMark('Sweet');
    const row = { Name: name, Price: 100, Category: 'Gift', ...lacking };
    const insert = (listed: boolean) =>
      as(sql, asha, (tx) => tx`insert into public."Products" ${sql({ ...row, is_listed: listed })}`);
    await expect(insert(true)).rejects.toMatchObject(refused(words, field));
    await insert(false);
    const list = () => as(sql, asha, (tx) => tx`update public."Products" set is_listed = true where "Name" = ${name}`);
    await expect(list()).rejects.toMatchObject({
      message: `${name} cannot be listed yet. Missing: ${words.source.replaceAll('\\', '')}.`,
    });
    const [kept] = await sql`select is_listed, isavailable from public."Products" where "Name" = ${name}`;
    expect(kept).toEqual({ is_listed: false, isavailable: false });
  });

  test('a fact of a listed product cannot be taken away', async () => {
    const id = await insertProduct(sql);
    for (const [field, lacking, words] of without)
      await expect(
        as(
          sql,
          asha,
          (tx) => tx`update public."Products" set ${sql({ [field]: lacking[field] } as Facts)} where "Id" = ${id}`,
        ),
      ).rejects.toMatchObject(refused(words, field));
  });

  test('everything that is missing is named together', async () => {
    const none = { food_mark: null, ingredients: '', allergens: '', shelf_life_days: null, storage: '' };
    const row = { Name: 'Bare', Price: 100, Category: 'Gift', is_listed: true, ...none };
    await expect(as(sql, asha, (tx) => tx`insert into public."Products" ${sql(row)}`)).rejects.toMatchObject({
      code: 'PT422',
      detail: 'food_mark',
      message:
        'Bare cannot be listed yet. Missing: the veg or non-veg mark, the ingredients, the allergens (None, if there are none), the shelf life, how it is stored.',
    });
  });

  test('applies to every role, and a mark is veg or non-veg', async () => {
    const row = { Name: newMark('Sweet'), Price: 100, Category: 'Gift', is_listed: true };
    await expect(as(sql, 'service', (tx) => tx`insert into public."Products" ${sql(row)}`)).rejects.toThrow('Missing');
    await expect(sql`insert into public."Products" ${sql(row)}`).rejects.toThrow('Missing');
    await expect(
      sql`insert into public."Products" ${sql({ ...row, ...foodFacts, food_mark: 'egg' })}`,
    ).rejects.toMatchObject({ code: '23514' });
  });
});

describe('through the console', () => {
  test.each(without)('%s missing: not listed by the form, in the list or by an import', async (field, lacking) => {
    const message = listingNeeds[field as keyof typeof listingNeeds];
    const values = { ...sweet(), ...lacking };
    const says = { code: 'PT422', detail: field, message };
    await expect(save(null, { ...values, is_listed: true })).rejects.toMatchObject(says);
    const { id, seen, name } = await newSweet({ ...lacking, is_listed: false });
    await expect(save(id, { is_listed: true }, seen)).rejects.toMatchObject(says);
    await expect(change([{ id, seen, changes: { is_listed: true } }])).rejects.toMatchObject({
      code: 'PT422',
      message: expect.stringContaining(`${name} cannot be listed yet. Missing: `),
    });
    const [row] = await as(
      sql,
      asha,
      (tx) => tx`select public.admin_import_products(
        ${sql.json([
          { line: 2, values: { id, is_listed: true } },
          { line: 3, values: { ...values, name: newMark('In file'), is_listed: true } },
        ] as never)}, true) as answer`,
    );
    expect(row?.answer.rows.map((r: Facts) => r.problems)).toEqual([[{ field, message }], [{ field, message }]]);
    expect((await read(id)).row).toMatchObject({ name, is_listed: false, missing_facts: [field] });
  });

  test('of many, those without their facts keep all from being listed, by name and with all that they lack', async () => {
    const [whole, bare] = [await newSweet(facts), await newSweet({ ...facts, food_mark: null, storage: '' })];
    const other = await newSweet({ ...facts, ingredients: '' });
    const asked = [whole, bare, other].map(({ id, seen }) => ({ id, seen, changes: { is_listed: true } }));
    await expect(change(asked)).rejects.toMatchObject({
      message:
        `${bare.name} cannot be listed yet. Missing: the veg or non-veg mark, how it is stored. ` +
        `${other.name} cannot be listed yet. Missing: the ingredients.`,
    });
    expect((await read(whole.id)).row.is_listed).toBe(false);
  });

  test('a copy has the facts of its original, and is not listed', async () => {
    const { id } = await newSweet({ ...facts, food_mark: 'non-veg', maker: 'Satpura, Nagpur', is_listed: true });
    const [copy] = await as(sql, asha, (tx) => tx`select public.admin_duplicate_product(${id}) ->> 'id' as id`);
    const { draft } = await read(Number(copy?.id));
    expect(draft).toMatchObject({ food_mark: 'non-veg', maker: 'Satpura, Nagpur', is_listed: false });
  });
});

describe('what an older shop has on its shelves', () => {
  test('stays there, is sold, stocked and reviewed', async () => {
    const old = await oldProduct();
    await moveStock(sql, old.id, -10, 'wastage');
    await moveStock(sql, old.id, 5, 'production');
    await insertReview(sql, { userId: await insertUser(sql), productId: old.id });
    const [row] =
      await sql`select is_listed, isavailable, review_count, food_mark from public."Products" where "Id" = ${old.id}`;
    expect(row).toEqual({ is_listed: true, isavailable: true, review_count: 1, food_mark: null });
  });

  test('is found, with what it lacks', async () => {
    const old = await oldProduct({ food_mark: null, storage: '' });
    const unlisted = await newSweet();
    const { rows, count } = await list({ state: 'facts_missing' }, 'name', false, null, 2000);
    expect(rows.find(({ id }) => id === old.id)).toMatchObject({
      is_listed: true,
      missing_facts: ['food_mark', 'storage'],
    });
    expect(rows.every(({ missing_facts }) => (missing_facts as string[]).length > 0)).toBe(true);
    expect(rows.map(({ id }) => id)).not.toContain(unlisted.id);
    expect(count).toBe(rows.length);
    expect((await list({ state: 'facts_missing', search: old.name })).rows.map(({ id }) => id)).toEqual([old.id]);
  });

  test('is completed with its next change, or unlisted', async () => {
    const old = await oldProduct();
    const says = { detail: 'food_mark', message: listingNeeds.food_mark };
    await expect(save(old.id, { price_paise: 12000 }, old.seen)).rejects.toMatchObject(says);
    await expect(change([{ ...old, changes: { price_paise: 12000 } }])).rejects.toMatchObject(says);
    await expect(
      as(sql, asha, (tx) => tx`update public."Products" set "Price" = 120 where "Id" = ${old.id}`),
    ).rejects.toMatchObject({ detail: 'food_mark' });
    const [row] = await change([{ ...old, changes: { is_listed: false, price_paise: 12000 } }]);
    expect(row).toMatchObject({ is_listed: false, price_paise: 12000 });
    // Undoing that would list it again without its facts.
    const undo = { id: old.id, seen: row?.updated_at, changes: { is_listed: true, price_paise: 10000 } };
    await expect(change([undo])).rejects.toMatchObject({ detail: 'food_mark' });
    const saved = await save(old.id, { food_mark: 'veg', is_listed: true }, row?.updated_at ?? null);
    expect((await read(saved.id)).row).toMatchObject({ is_listed: true, missing_facts: [] });
  });

  test('is restored from the archive unlisted, and is listed only with its facts', async () => {
    const old = await oldProduct();
    const [archived] = await change([{ ...old, changes: { is_archived: true } }]);
    const [back] = await change([{ id: old.id, seen: archived?.updated_at, changes: { is_archived: false } }]);
    expect(back).toMatchObject({ is_listed: false, archived_at: null });
    const undo = { id: old.id, seen: back?.updated_at, changes: { is_archived: false, is_listed: true } };
    await expect(change([undo])).rejects.toMatchObject({ detail: 'food_mark' });
  });
});

test('the console’s form and the database ask for the same facts', async () => {
  const values = {
    food_mark: 'veg',
    ingredients: 'Ghee',
    allergens: 'None',
    shelf_life_days: 3,
    storage: 'Cool',
    weight_grams: 500,
  };
  for (const empty of [null, '', '  ', '\n'] as const)
    for (let which = 0; which < 2 ** listingFacts.length; which++) {
      const tried = Object.fromEntries(
        listingFacts.map((fact, place) => {
          const isText = typeof values[fact] === 'string' && fact !== 'food_mark';
          return [fact, which & (1 << place) ? (isText ? empty : null) : values[fact]];
        }),
      ) as typeof values;
      const [row] = await sql`select private.missing_facts(${tried.food_mark}, ${tried.ingredients}, ${tried.allergens},
        ${tried.shelf_life_days}, ${tried.storage}, ${tried.weight_grams}) as missing`;
      expect(row?.missing).toEqual(listingGaps(tried));
    }
});

test('the demo shop misses nothing, and its pages show it', async () => {
  const [row] = await as(sql, asha, (tx) => tx`select public.admin_read_shop() -> 'facts' as facts`);
  expect(Object.entries(row?.facts).filter(([, fact]) => fact === '')).toEqual([]);
  expect(shopGaps(row?.facts)).toEqual([]);
  const [page] = await as(sql, 'anon', (tx) => tx`select public.product_page(7) as page`);
  expect(page?.page).toMatchObject({ food_mark: 'veg', maker: expect.stringContaining('Nagpur') });
  const [home] = await as(sql, 'anon', (tx) => tx`select public.home_page() -> 'products' as products`);
  const demoCards = home?.products.filter(({ Id }: { Id: number }) => Id <= 38);
  expect(demoCards.length).toBeGreaterThan(20);
  expect(demoCards.filter((card: Facts) => card.food_mark !== 'veg')).toEqual([]);
});
