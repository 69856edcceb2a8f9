import { describe, expect, inject, test } from 'vitest';
import { newClient, newCustomer, publicEnvironment, signInAs, userIdOf } from '../support/visitor.ts';
import { newPerson } from './sign-in-by-hand.ts';

const shopUrl = inject('shopUrl');

test('an account cannot be given a password before its owner first signs in', async () => {
  const victim = newPerson();
  const attacker = newClient(await publicEnvironment(shopUrl));
  const credentials = { email: victim.email, password: 'laid-in-advance-1' };
  expect((await attacker.auth.signUp(credentials)).error).not.toBeNull();
  expect((await attacker.auth.signInWithOtp({ email: victim.email })).error).not.toBeNull();

  const owner = await signInAs(shopUrl, victim);
  const { data } = await owner.auth.getUser();
  expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['github']);
  expect(data.user?.app_metadata.providers).toEqual(['github']);

  const second = await attacker.auth.signInWithPassword(credentials);
  expect(second.error).not.toBeNull();
  expect(second.data.session).toBeNull();
});

describe('a signed-in person', () => {
  test('changes the account at most 30 times an hour', async () => {
    const customer = await newCustomer(shopUrl);
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await customer.auth.updateUser({ data: { address: `Lane ${n}` } })).error?.status);
    expect(statuses).toEqual([...Array<undefined>(30), 429]);
  });

  test.each([
    ['e-mail', { email: 'somebody-else@example.com' }],
    ['password', { password: 'a-long-password-1' }],
    ['phone', { phone: '+919000000001' }],
    ['e-mail beside data', { email: 'somebody-else@example.com', data: { name: 'New' } }],
  ])('cannot change the %s of the account', async (_name, change) => {
    const customer = await newCustomer(shopUrl);
    const before = (await customer.auth.getUser()).data.user;
    expect((await customer.auth.updateUser(change)).error?.status).toBe(403);
    expect((await customer.auth.getUser()).data.user).toEqual(before);
  });

  test('can change the name and address in the profile', async () => {
    const customer = await newCustomer(shopUrl);
    const data = { full_name: 'मीना कुमारी', address: { city: 'Pune', zip: '411038' } };
    expect((await customer.auth.updateUser({ data })).error).toBeNull();
    expect((await customer.auth.getUser()).data.user?.user_metadata).toMatchObject(data);
  });

  test('keeps the name saved in the profile when the identity provider sends another one at the next sign-in', async () => {
    const person = { ...newPerson(), name: 'Name at Google' };
    const first = await signInAs(shopUrl, person);
    const user_id = await userIdOf(first);
    await first.from('comments').insert({ content: 'Fresh.', rating: 5, product_id: 6 }).throwOnError();
    await first.from('user_profiles').upsert({ user_id, full_name: 'Meena K.' }).throwOnError();
    const again = await signInAs(shopUrl, person);
    const { data } = await again.auth.getSession();
    expect(data.session?.user.user_metadata).toMatchObject({ name: 'Meena K.', full_name: 'Meena K.' });
    expect((await again.rpc('get_user_info', { user_id })).data).toMatchObject({ name: 'Meena K.' });
    // An identity provider's name is as good as ever where the shop has none of its own.
    const other = { ...newPerson(), name: 'First Name' };
    await signInAs(shopUrl, other);
    const renamed = await signInAs(shopUrl, { ...other, name: 'Second Name' });
    expect((await renamed.auth.getUser()).data.user?.user_metadata.full_name).toBe('Second Name');
  });

  test('cannot store unlimited data in the account: its metadata has a maximum size', async () => {
    const customer = await newCustomer(shopUrl, 'Meena');
    for (let n = 0; n < 20; n += 1) await customer.auth.updateUser({ data: { [`field_${n}`]: 'x'.repeat(3000) } });
    const { data } = await customer.auth.getUser();
    expect(JSON.stringify(data.user?.user_metadata).length).toBeLessThanOrEqual(4096);
    expect(data.user?.user_metadata.full_name).toBe('Meena');
    expect((await customer.auth.updateUser({ data: { x: 'x'.repeat(5000) } })).error?.status).toBe(413);
    expect((await customer.auth.updateUser({ data: { full_name: 'x'.repeat(81) } })).error?.status).toBe(400);
  });

  test('cannot become an administrator through the profile data', async () => {
    const customer = await newCustomer(shopUrl);
    const user_id = await userIdOf(customer);
    await customer.auth.updateUser({ data: { role: 'service_role', is_admin: true, app_metadata: { role: 'admin' } } });
    await customer.auth.refreshSession();
    expect((await customer.rpc('is_administrator', { user_id })).data).toBe(false);
    const { data } = await customer.auth.getUser();
    expect([data.user?.role, data.user?.app_metadata]).toEqual([
      'authenticated',
      { provider: 'github', providers: ['github'] },
    ]);
    expect((await customer.from('vendors').select()).data).toEqual([]);
  });

  test('is named under the reviews they write', async () => {
    const customer = await newCustomer(shopUrl, 'Meena Kumari');
    const user_id = await userIdOf(customer);
    await customer.from('comments').insert({ content: 'Soft and fresh.', rating: 5, product_id: 3 }).throwOnError();
    expect((await customer.rpc('get_user_info', { user_id })).data).toMatchObject({ name: 'Meena Kumari' });
    const reviews = await customer.rpc('product_reviews', { product_id: 3 });
    expect(reviews.data?.find((review) => review.user_id === user_id)?.author_name).toBe('Meena Kumari');
    await customer.auth.updateUser({ data: { full_name: 'Meena K.' } });
    expect((await customer.rpc('get_user_info', { user_id })).data).toMatchObject({ name: 'Meena K.' });
  });

  test.each(['a\u0000b', 'a\\u0000b', '\ud800', { nested: true }, ['list'], 5, 'x'.repeat(10_000)])(
    'cannot break the review list for others with the name %j',
    async (full_name) => {
      const customer = await newCustomer(shopUrl);
      await customer.from('comments').insert({ content: 'Good.', rating: 5, product_id: 4 }).throwOnError();
      await customer.auth.updateUser({ data: { full_name, name: full_name } });
      const visitor = newClient(await publicEnvironment(shopUrl));
      const { data, error } = await visitor.rpc('product_reviews', { product_id: 4 });
      expect(error).toBeNull();
      expect(data?.length).toBeGreaterThan(0);
    },
  );

  test('cannot break it with the name from the identity provider either', async () => {
    const { email } = newPerson();
    const customer = await signInAs(shopUrl, { name: 'a\u0000b', email }).catch(() => null);
    await customer?.from('comments').insert({ content: 'Good.', rating: 5, product_id: 5 });
    const visitor = newClient(await publicEnvironment(shopUrl));
    expect((await visitor.rpc('product_reviews', { product_id: 5 })).error).toBeNull();
  });
});
