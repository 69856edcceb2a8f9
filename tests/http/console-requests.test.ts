import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { supabaseDir } from '../support/database.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, publicEnvironment, tokenOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let sql: Sql;
let key: string;
beforeAll(async () => {
  sql = await connectToShop(inject('shopDataDir'));
  ({ key } = await publicEnvironment(shopUrl));
});
afterAll(() => sql?.end());

/** With an argument for every parameter that needs one; what it is does not matter to who may not ask. */
async function ask(headers: Record<string, string>): Promise<Record<string, number>> {
  const requests = await sql<{ name: string; args: string[] | null; required: number }[]>`
    select proname as name, proargnames as args, pronargs - pronargdefaults as required
    from pg_proc where pronamespace = 'public'::regnamespace and proname like 'admin\\_%' order by 1`;
  expect(requests.length).toBeGreaterThan(0);
  const answers: Record<string, number> = {};
  for (const { name, args, required } of requests) {
    const response = await fetch(`${backendUrl}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(Object.fromEntries((args ?? []).slice(0, required).map((arg) => [arg, null]))),
    });
    answers[name] = response.status;
    const body = await response.text();
    expect(body, name).not.toContain('"rows"');
  }
  return answers;
}

test('a customer who sends the console’s requests is refused each of them', async () => {
  const customer = await newCustomer(shopUrl, 'Curious Customer');
  const answers = await ask({ authorization: `Bearer ${await tokenOf(customer)}` });
  expect(new Set(Object.values(answers)), JSON.stringify(answers)).toEqual(new Set([403]));
});

test('a visitor is refused each of them too', async () => {
  const answers = await ask({});
  expect(new Set(Object.values(answers)), JSON.stringify(answers)).toEqual(new Set([401]));
});

// Whatever else is in the folder is the console's.
const forOthers = [
  'notify',
  'getShippingPrice',
  'createOrder',
  'placeOrder',
  'quoteGroup',
  'createGroupOrder',
  'paymentWebhook',
  'runJobs',
  'invoice',
  'myData',
  'claim',
];
const ofTheConsole = readdirSync(join(supabaseDir, 'functions')).filter(
  (name) => !name.startsWith('_') && !forOthers.includes(name),
);

test.each(ofTheConsole)('%s is forbidden to customers and visitors', async (name) => {
  const customer = await newCustomer(shopUrl, 'Curious Customer');
  for (const method of ['GET', 'POST', 'DELETE']) {
    const call = async (headers: Record<string, string>) =>
      (await fetch(`${backendUrl}/functions/v1/${name}`, { method, headers: { apikey: key, ...headers } })).status;
    expect([await call({}), await call({ authorization: `Bearer ${await tokenOf(customer)}` })]).toEqual([401, 403]);
  }
});
