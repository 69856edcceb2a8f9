import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const metadataOf = async (id: string) => {
  const [row] = await sql<{ data: Record<string, unknown>; bytes: number }[]>`
    select raw_user_meta_data as data, octet_length(raw_user_meta_data::text) as bytes from auth.users where id = ${id}`;
  return row as { data: Record<string, unknown>; bytes: number };
};
/** As Auth does at every sign-in, on both backends: the provider's data is merged over what is there. */
const signInAgain = (id: string, data: Record<string, unknown>) =>
  sql`update auth.users set raw_user_meta_data = raw_user_meta_data || ${sql.json(data as never)} where id = ${id}`;
const saveName = (userId: string, name: string) =>
  as(
    sql,
    { userId },
    (tx) => tx`insert into public.user_profiles (user_id, full_name) values (${userId}, ${name})
               on conflict (user_id) do update set full_name = excluded.full_name`,
  );

describe('a name saved in the profile', () => {
  test('is not overwritten by the next sign-in, and every reader of names sees it', async () => {
    const id = await insertUser(sql, { name: 'Google Name' });
    await saveName(id, 'Meena K.');
    await signInAgain(id, { name: 'Google Name', full_name: 'Google Name', picture: 'https://example.com/p.png' });
    expect((await metadataOf(id)).data).toMatchObject({
      name: 'Meena K.',
      full_name: 'Meena K.',
      picture: 'https://example.com/p.png',
    });
    const [seen] = await sql`select private.person_name(${id}) as name,
      (select c.name from private.customer_cards c where c.user_id = ${id}) as card`;
    expect(seen).toEqual({ name: 'Meena K.', card: 'Meena K.' });
  });

  test('can be changed again, and a blank one gives way to the provider’s', async () => {
    const id = await insertUser(sql, { name: 'Google Name' });
    await saveName(id, 'First');
    await saveName(id, 'Second');
    expect((await metadataOf(id)).data.full_name).toBe('Second');
    await saveName(id, ' ');
    await signInAgain(id, { full_name: 'Google Name' });
    expect((await metadataOf(id)).data.full_name).toBe('Google Name');
  });

  test('has at most 80 characters', async () => {
    const id = await insertUser(sql);
    await saveName(id, 'म'.repeat(80));
    await expect(saveName(id, 'x'.repeat(81))).rejects.toMatchObject({ code: '23514' });
  });

  test('follows an account whose metadata is stored as a JSON text', async () => {
    const id = randomUUID();
    const stored = JSON.stringify({ full_name: 'Google Name', address: { city: 'Pune' } });
    await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${id}@example.com`}, to_jsonb(${stored}::text))`;
    await saveName(id, 'Own Name');
    expect((await metadataOf(id)).data).toEqual({ name: 'Own Name', full_name: 'Own Name', address: { city: 'Pune' } });
  });
});

describe('the metadata of an account', () => {
  const large = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field_${n}`, 'x'.repeat(100)]));

  test('has a maximum size, sent in one request or in several', async () => {
    const id = await insertUser(sql, { name: 'Meena' });
    for (const [key, value] of Object.entries(large)) await signInAgain(id, { [key]: value });
    expect((await metadataOf(id)).bytes).toBeLessThanOrEqual(4096);
    await signInAgain(id, large);
    const { data, bytes } = await metadataOf(id);
    expect(bytes).toBeLessThanOrEqual(4096);
    expect(data.full_name).toBe('Meena');
  });

  test('keeps what the shop uses when a provider sends too much, and never refuses a sign-in', async () => {
    const id = randomUUID();
    const sent = {
      ...large,
      sub: '1',
      email: 'a@example.com',
      full_name: 'n'.repeat(500),
      avatar_url: 'https://example.com/a.png',
    };
    await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${id}@example.com`}, ${sql.json(sent)})`;
    expect((await metadataOf(id)).data).toEqual({
      sub: '1',
      email: 'a@example.com',
      full_name: 'n'.repeat(80),
      avatar_url: 'https://example.com/a.png',
    });
    await sql`insert into auth.identities (id, provider, provider_id, user_id, identity_data)
      values (${randomUUID()}, 'google', ${id}, ${id}, ${sql.json(sent)})`;
    const [identity] = await sql`select identity_data as data from auth.identities where user_id = ${id}`;
    expect(identity?.data).toEqual((await metadataOf(id)).data);
  });

  test.each([{ full_name: { nested: true } }, { name: ['list'] }, { full_name: 5 }])(
    'holds no name that is no text: %j',
    async (data) => {
      const id = await insertUser(sql, { name: null });
      await signInAgain(id, data);
      expect((await metadataOf(id)).data).toEqual({});
    },
  );
});
