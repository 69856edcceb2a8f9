// A customer's own data over the shop's real door: their token, their file, and their account.
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, expect, inject, test } from 'vitest';
import { setAddress } from '../support/buying.ts';
import { newCustomer, type ShopClient, tokenOf, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let customer: ShopClient;
beforeAll(async () => {
  customer = await newCustomer(shopUrl, 'Own Data');
  await setAddress(customer);
});

const ask = async (client: ShopClient | null, question = '') =>
  fetch(`${backendUrl}/functions/v1/myData${question}`, {
    headers: client ? { authorization: `Bearer ${await tokenOf(client)}` } : {},
  });

test('a visitor gets nothing, a customer their own file under a name of ours', async () => {
  expect((await ask(null)).status).toBe(401);
  const answer = await ask(customer);
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'application/zip',
    'attachment; filename="my-data.zip"',
  ]);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  expect(JSON.parse(strFromU8(files['profile.json'] ?? new Uint8Array()))).toMatchObject({ name: 'Own Data' });
  expect(answer.headers.get('x-next')).toBeNull();
});

test('nobody names the customer: a question with one is refused', async () => {
  const other = await userIdOf(await newCustomer(shopUrl, 'Somebody Else'));
  expect((await ask(customer, `?customer_id=${other}`)).status).toBe(400);
  const { error } = await customer.rpc('read_own_data', { customer_id: other, part: 'account' });
  expect(error?.code).toMatch(/^(42501|PGRST202|PGRST203)$/);
});

test('a deleted account is gone with its session', async () => {
  const leaving = await newCustomer(shopUrl, 'Leaving Soon');
  const refused = await leaving.rpc('erase_me', { confirmation: 'yes' });
  expect(refused.error?.message).toBe('Type DELETE to confirm.');
  const { data, error } = await leaving.rpc('erase_me', { confirmation: 'DELETE' });
  expect([data, error]).toEqual([true, null]);
  expect((await ask(leaving)).status).toBe(401);
});
