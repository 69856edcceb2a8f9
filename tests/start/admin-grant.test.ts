import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyFilledShop } from '../support/filled-shop.ts';
import { plainEnvironment, type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { type ShopClient, signInAs, userIdOf } from '../support/visitor.ts';
import { leftoversOf, withSql } from './processes.ts';

const root = join(import.meta.dirname, '../..');
let dataDir: string;
let shop: RunningShop;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  shop = await startShop({ dataDir });
});

afterAll(async () => {
  await shop?.stop();
  await removeDataDir(dataDir);
});

type Answer = { code: number; said: string; complained: string };

function adminGrant(args: string[], env: Record<string, string> = { DATA_DIR: dataDir }): Promise<Answer> {
  const options = { cwd: root, env: { ...plainEnvironment(), ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/admin-grant.ts', ...args], options, (error, said, complained) => {
      resolve({ code: error ? Number(error.code) : 0, said: said.trim(), complained: complained.trim() });
    });
  });
}

const administrators = () =>
  withSql(dataDir, async (sql) => {
    const rows = await sql<{ user_id: string }[]>`select user_id from private.administrators order by user_id`;
    return rows.map((row) => row.user_id);
  });

async function isAdministrator(client: ShopClient): Promise<boolean | null> {
  const { data } = await client.rpc('is_administrator', { user_id: await userIdOf(client) });
  return data;
}

const addUser = (sql: Sql, email: string) => sql<{ id: string }[]>`
  insert into auth.users (id, aud, role, email, email_confirmed_at, last_sign_in_at, created_at, updated_at)
  values (${randomUUID()}, 'authenticated', 'authenticated', ${email}, now(), now(), now(), now()) returning id`;

const addIdentity = (sql: Sql, userId: string, provider: string) => sql`
  insert into auth.identities (id, provider, provider_id, user_id, identity_data, created_at, updated_at)
  values (${randomUUID()}, ${provider}, ${randomUUID()}, ${userId}, '{}', now(), now())`;

test('a customer who has signed in becomes an administrator while the shop runs, in upper or lower case', async () => {
  const client = await signInAs(shop.url, { name: 'Meera Nair', email: 'meera@example.com' });
  expect(await isAdministrator(client)).toBe(false);
  const answer = await adminGrant(['Meera@Example.com']);
  expect(answer).toEqual({ code: 0, said: 'Meera@Example.com is an administrator now.', complained: '' });
  expect(await isAdministrator(client)).toBe(true);
});

test('granting twice is fine and says so', async () => {
  const before = await administrators();
  const answer = await adminGrant(['asha@example.com']);
  expect(answer).toEqual({ code: 0, said: 'asha@example.com is an administrator already.', complained: '' });
  expect(await administrators()).toEqual(before);
});

test('a missing or wrong argument prints how to use the command', async () => {
  const wrong = [[], ['not-an-address'], ['a@example.com', 'b@example.com'], ['--help']];
  for (const answer of await Promise.all(wrong.map((args) => adminGrant(args))))
    expect(answer).toEqual({ code: 1, said: '', complained: 'Usage: npm run admin:grant -- someone@example.com' });
});

test('a person who never signed in, or not with a social account, is refused', async () => {
  const before = await administrators();
  await withSql(dataDir, async (sql) => {
    await addUser(sql, 'no-identity@example.com');
    const [byPassword] = await addUser(sql, 'by-password@example.com');
    await addIdentity(sql, byPassword?.id ?? '', 'email');
    const [invited] = await addUser(sql, 'invited@example.com');
    await addIdentity(sql, invited?.id ?? '', 'google');
    await sql`update auth.users set last_sign_in_at = null where id = ${invited?.id ?? ''}`;
  });
  const names = ['never-here', 'no-identity', 'by-password', 'invited'];
  const answers = await Promise.all(names.map((name) => adminGrant([`${name}@example.com`])));
  for (const [index, { code, said, complained }] of answers.entries()) {
    expect({ code, said }).toEqual({ code: 1, said: '' });
    expect(complained).toMatch(new RegExp(`^No user has signed in as ${names[index]}@example\\.com yet: .*\\.$`));
  }
  expect(await administrators()).toEqual(before);
});

test('when two people share an address neither becomes an administrator; two accounts of one person are fine', async () => {
  const before = await administrators();
  const [both] = await withSql(dataDir, async (sql) => {
    for (const email of ['twin@example.com', 'Twin@example.com']) {
      const [user] = await addUser(sql, email);
      await addIdentity(sql, user?.id ?? '', 'google');
    }
    const [person] = await addUser(sql, "o'hara@example.com");
    for (const provider of ['google', 'github']) await addIdentity(sql, person?.id ?? '', provider);
    return [person?.id];
  });
  const { code, complained } = await adminGrant(['twin@example.com']);
  expect(code).toBe(1);
  expect(complained).toMatch(/^More than one person has signed in as twin@example\.com: .*\.$/);
  expect(await administrators()).toEqual(before);

  expect((await adminGrant(["o'hara@example.com"])).code).toBe(0);
  expect(await administrators()).toEqual([...before, both].sort());
});

test('for a hosted shop it prints SQL that does the same in the SQL editor', async () => {
  const client = await signInAs(shop.url, { name: 'Dev Patel', email: "dev.o'neil@example.com" });
  const secret = 'sb_publishable_of_somebody_else';
  const { code, said } = await adminGrant(["dev.o'neil@example.com"], {
    SUPABASE_URL: 'https://project.example.com',
    SUPABASE_ANON_KEY: secret,
  });
  expect(code).toBe(0);
  expect(said).not.toContain(secret);
  const [sentence, statement = ''] = said.split(/\n\n/);
  expect(sentence).toMatch(/^This shop has a hosted backend: .*SQL editor.*\.$/);
  expect(await withSql(dataDir, (sql) => sql.unsafe(statement))).toEqual([{ outcome: 'granted' }]);
  expect(await isAdministrator(client)).toBe(true);
});

test('a wrong setting, an unreachable database or a folder without a shop is one clear line', async () => {
  const nowhere = join(dataDir, 'nowhere');
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: 'abc' }, /^Wrong setting: PORT .*$/],
    [{ DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:9/shop' }, /^The database does not answer .*$/],
    [{ DATA_DIR: nowhere }, new RegExp(`^There is no shop in ${nowhere} yet: .*$`)],
  ];
  for (const [env, sentence] of cases) {
    const { code, complained } = await adminGrant(['asha@example.com'], env);
    expect(complained).toMatch(sentence);
    expect(complained).not.toContain('hush-hush');
    expect(code).toBe(1);
  }
  expect(existsSync(nowhere)).toBe(false);
});

test('it works on a stopped shop too, keeps the change and leaves no process running', async () => {
  await signInAs(shop.url, { name: 'Late Comer', email: 'late@example.com' });
  await shop.stop();
  expect((await adminGrant(['late@example.com'])).said).toBe('late@example.com is an administrator now.');
  expect(leftoversOf(dataDir)).toEqual([]);
  expect((await adminGrant(['late@example.com'])).said).toBe('late@example.com is an administrator already.');
});
