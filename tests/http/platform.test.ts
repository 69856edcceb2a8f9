// The shapes with a Supabase project run on a database as strict as one: what the platform refuses is refused over HTTP, too.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isIn } from '../support/in-shapes.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, tokenOf, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const keys = instanceKeys(inject('shopDataDir'));
let sql: Sql;
beforeAll(async () => {
  sql = await connectToShop(inject('shopDataDir'));
});
afterAll(() => sql.end());

test('the owner of the tables is no superuser, and owns neither Auth nor Storage', async () => {
  const [role] = await sql`select rolname, rolsuper from pg_roles where rolname = current_user`;
  expect(role).toEqual({ rolname: 'postgres', rolsuper: false });
  const owners = await sql<{ name: string; owner: string }[]>`
    select relnamespace::regnamespace || '.' || relname as name, relowner::regrole::text as owner from pg_class
    where oid in ('auth.users'::regclass, 'storage.objects'::regclass, 'public.orders'::regclass) order by 1`;
  expect(Object.fromEntries(owners.map(({ name, owner }) => [name, owner]))).toEqual({
    'auth.users': 'supabase_auth_admin',
    'storage.objects': 'supabase_storage_admin',
    'public.orders': 'postgres',
  });
});

test('a sign-in leaves a refresh token with a number, as the tables of Auth have it', async () => {
  const userId = await userIdOf(await newCustomer(shopUrl));
  const tokens = await sql<{ type: string }[]>`
    select pg_typeof(id)::text as type from auth.refresh_tokens where user_id = ${userId}`;
  expect(tokens).toEqual([{ type: 'bigint' }]);
});

if (isIn('hosted'))
  describe('the Data API of a project', () => {
    const call = (name: string, { method = 'POST', key = keys.publishableKey, token = '' } = {}) =>
      fetch(`${backendUrl}/rest/v1/rpc/${name}`, {
        method,
        headers: {
          apikey: key,
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
    const session = async (options: Parameters<typeof call>[1]) => (await call('probe_session', options)).json();

    test('logs in as authenticator and switches to the role of the caller, with its time limit', async () => {
      const writes = { login: 'authenticator', readOnly: 'off' };
      expect(await session({})).toEqual({ ...writes, role: 'anon', timeout: '3s' });
      const token = await tokenOf(await newCustomer(shopUrl));
      expect(await session({ token })).toEqual({ ...writes, role: 'authenticated', timeout: '8s' });
      expect(await session({ key: keys.secretKey })).toEqual({ ...writes, role: 'service_role', timeout: '8s' });
    });

    test('reads in a read-only transaction', async () => {
      expect(await session({ method: 'GET' })).toMatchObject({ readOnly: 'on' });
      const options = { key: keys.secretKey };
      expect((await call('probe_write', { ...options, method: 'GET' })).status).toBe(405);
      expect((await call('probe_write', options)).status).toBe(204);
    });

    test('responds to a function without a result with 204 and no body', async () => {
      const response = await call('probe_nothing');
      expect([response.status, await response.text()]).toEqual([204, '']);
    });

    test('refuses an UPDATE without WHERE inside a function', async () => {
      const response = await call('probe_update', { key: keys.secretKey });
      expect([response.status, await response.json()]).toMatchObject([500, { code: '21000' }]);
    });
  });
