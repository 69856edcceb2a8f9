// The shop's own facts: who may change them, what is refused, and where they show.
import { expect, test } from 'vitest';
import { gstStateCodes } from '../../domain/gst-states.ts';
import { as, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { asha, openDemoShop, refused, sql } from './console-products-harness.ts';

openDemoShop({ isEmpty: true });

type Shop = { facts: Record<string, string>; updated_at: string; incomplete_products: number };
async function readShop(): Promise<Shop> {
  const [row] = await as(sql, asha, (tx) => tx`select public.admin_read_shop() as shop`);
  return row?.shop;
}
async function saveShop(changes: unknown, seen?: string) {
  const at = seen ?? (await readShop()).updated_at;
  const [row] = await as(
    sql,
    asha,
    (tx) => tx`select public.admin_save_shop(${sql.json(changes as never)}, ${at}::text::timestamptz) as answer`,
  );
  return row?.answer as { updated_at: string };
}

test('a shop that has just opened has a name and nothing else', async () => {
  const { facts, incomplete_products } = await readShop();
  expect(Object.entries(facts).filter(([, fact]) => fact !== '')).toEqual([['name', 'Mithaas']]);
  expect(incomplete_products).toBe(0);
});

test('what was listed without its facts is counted, until an administrator writes them or takes it off', async () => {
  const ids = [await insertProduct(sql), await insertProduct(sql), await insertProduct(sql)];
  await sql.begin(async (tx) => {
    // As products were before their facts were required.
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update public."Products" set allergens = E' \u200b' where "Id" = any (${ids.slice(0, 2)})`;
  });
  const incomplete = async () => (await readShop()).incomplete_products;
  expect(await incomplete()).toBe(2);
  await as(sql, asha, (tx) => tx`update public."Products" set allergens = 'Milk' where "Id" = ${ids[0] ?? 0}`);
  expect(await incomplete()).toBe(1);
  await as(sql, asha, (tx) => tx`update public."Products" set is_listed = false where "Id" = ${ids[1] ?? 0}`);
  expect(await incomplete()).toBe(0);
  await sql`delete from public."Products" where "Id" = any (${ids})`;
});

test('saved facts are trimmed, and appear on every page and in the log', async () => {
  await saveShop({
    state: 'Maharashtra',
    fssai_number: '1151 4009 000123',
    gstin: '27 aaaaa0000a1z2',
    whatsapp_number: '098200 12345',
    grievance_phone: '(022) 2345-6789',
    grievance_officer: '  Asha   Rao ',
  });
  const [frame] = await as(sql, 'anon', (tx) => tx`select public.page_frame() -> 'shop' as shop`);
  expect(frame?.shop).toMatchObject({
    fssai_number: '11514009000123',
    gstin: '27AAAAA0000A1Z2',
    whatsapp_number: '+919820012345',
    grievance_phone: '+912223456789',
    grievance_officer: 'Asha Rao',
  });
  const [entry] =
    await sql`select actor_id, before, after from public.audit_log where table_name = 'shop_settings' order by id desc limit 1`;
  expect(entry).toMatchObject({ actor_id: asha.userId, after: { fssai_number: '11514009000123' } });
});

test('the second of two administrators gets a conflict, and nothing is lost', async () => {
  const { updated_at } = await readShop();
  await saveShop({ email: 'first@mithaas.example' }, updated_at);
  await expect(saveShop({ email: 'second@mithaas.example' }, updated_at)).rejects.toMatchObject({
    code: 'PT409',
    detail: 'stale',
  });
  expect((await readShop()).facts.email).toBe('first@mithaas.example');
});

test.each<[object, string, RegExp]>([
  [{ name: ' ' }, 'name', /missing/],
  [{ name: 'x'.repeat(61) }, 'name', /60/],
  [{ address: 'x'.repeat(401) }, 'address', /400/],
  [{ state: 'Bombay' }, 'state', /state or union territory/],
  [{ state: 'Karnataka' }, 'gstin', /Karnataka starts with 29/],
  [{ fssai_number: '123' }, 'fssai_number', /14 digits/],
  [{ gstin: 'nonsense' }, 'gstin', /15 characters/],
  [{ gstin: '27AAAAA0000A1Z5' }, 'gstin', /not valid/],
  [{ email: 'not an address' }, 'email', /email/],
  [{ whatsapp_number: '+44 7700 900000' }, 'whatsapp_number', /mobile/],
  [{ whatsapp_number: '022 2345 6789' }, 'whatsapp_number', /mobile/],
  [{ instagram_url: 'javascript:alert(1)' }, 'instagram_url', /https/],
  [{ grievance_email: 'a@b' }, 'grievance_email', /email/],
  [{ grievance_phone: '12' }, 'grievance_phone', /ten digits/],
  [{ cutoff: '14:00' }, 'cutoff', /not valid/],
  [{ name: 7 }, 'name', /not valid/],
])('%j is refused at its field, and nothing is saved', async (changes, field, message) => {
  const before = await readShop();
  await expect(saveShop({ legal_name: 'Half written', ...changes })).rejects.toMatchObject(refused(message, field));
  expect(await readShop()).toEqual(before);
});

test('a shop may say little: every fact but the name can be empty', async () => {
  const { facts } = await readShop();
  const empty = Object.fromEntries(Object.keys(facts).map((name) => [name, '']));
  await saveShop({ ...empty, name: 'Mithaas' });
  expect((await readShop()).facts).toEqual({ ...empty, name: 'Mithaas' });
  await saveShop(facts);
});

test('but while sweets are listed, seller, address and licence cannot be removed', async () => {
  const { facts } = await readShop();
  const face = { legal_name: 'Mithaas Sweets', address: '17 Ranade Road', fssai_number: '11514009000123' };
  const id = await insertProduct(sql);
  // Not said yet: the console tells, and nothing is refused.
  await saveShop({ email: 'shop@mithaas.example' });
  await saveShop(face);
  for (const [field, words] of [
    ['legal_name', /the shop needs its legal name/],
    ['address', /the shop needs its address/],
    ['fssai_number', /the shop needs its FSSAI licence number/],
  ] as const) {
    await expect(saveShop({ [field]: '' })).rejects.toMatchObject(refused(words, field));
    await expect(
      as(sql, asha, (tx) => tx`update public.shop_settings set ${sql({ [field]: '' })} where true`),
    ).rejects.toMatchObject(refused(words, field));
  }
  await expect(saveShop({ legal_name: '\u200b' })).rejects.toMatchObject(refused(/legal name/, 'legal_name'));
  await saveShop({ address: '18 Ranade Road' });
  await sql`update public."Products" set is_listed = false where "Id" = ${id}`;
  await saveShop(facts);
});

test('customers and visitors neither read nor save it here', async () => {
  const customer = { userId: await insertUser(sql) };
  for (const who of [customer, 'anon'] as const) {
    await expect(as(sql, who, (tx) => tx`select public.admin_read_shop()`)).rejects.toThrow();
    await expect(
      as(sql, who, (tx) => tx`select public.admin_save_shop('{"name": "Stolen"}', now())`),
    ).rejects.toThrow();
  }
});

test('every state has the code that the form knows', async () => {
  for (const [state, code] of Object.entries(gstStateCodes)) {
    const [row] = await sql`select private.gstin_state_code(${state}) as code`;
    expect([state, row?.code]).toEqual([state, code]);
  }
});

test('the GSTIN stays as long as a product is taxed', async () => {
  await saveShop({ state: 'Maharashtra', gstin: '27AAAAA0000A1Z2' });
  await sql`update public."Products" set gst_percent = 0`;
  const productId = await insertProduct(sql);
  await sql`update public."Products" set gst_percent = 5 where "Id" = ${productId}`;
  await expect(saveShop({ gstin: '' })).rejects.toMatchObject({
    code: 'PT422',
    detail: 'gstin',
    message: 'Without a GSTIN no GST may be charged, and one product has it. Set GST to 0 there first.',
  });
  expect((await readShop()).facts.gstin).toBe('27AAAAA0000A1Z2');
  await sql`update public."Products" set gst_percent = 0 where "Id" = ${productId}`;
  await saveShop({ gstin: '' });
  expect((await readShop()).facts.gstin).toBe('');
});
