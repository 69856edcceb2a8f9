import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, grantEverything, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await grantEverything(database.sql);
});
afterAll(() => database.drop());

const nani = {
  label: 'Nani',
  recipient_name: 'Kamala Devi',
  phone: '9876543210',
  building_no: '12, Shanti Sadan',
  street: 'MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  zip: '411001',
};

/** Adds an address as its customer; the id it got. */
async function add(userId: string, change: Partial<typeof nani> = {}): Promise<string> {
  const [row] = await as(
    database.sql,
    { userId },
    (tx) => tx<{ id: string }[]>`
    insert into public.customer_addresses ${tx({ user_id: userId, ...nani, ...change })} returning id`,
  );
  return row?.id ?? '';
}

test('a customer keeps several addresses, and nobody else reads them', async () => {
  const [customer, stranger] = [await insertUser(database.sql), await insertUser(database.sql)];
  await add(customer);
  await add(customer, { label: 'Office', recipient_name: 'Meera Till' });
  const read = (userId: string) =>
    as(database.sql, { userId }, (tx) => tx`select label from public.customer_addresses order by created_at, id`);
  expect(await read(customer)).toMatchObject([{ label: 'Nani' }, { label: 'Office' }]);
  expect(await read(stranger)).toEqual([]);
});

describe('an address is checked as the profile’s is', () => {
  test.each([
    ['a phone that is none', { phone: '12345' }],
    ['no phone', { phone: '' }],
    ['a pincode that is none', { zip: '011001' }],
    ['no pincode', { zip: '' }],
    ['a street of spaces', { street: '  ' }],
    ['an invisible name', { recipient_name: '\u200b' }],
    ['a name of 81 letters', { recipient_name: 'x'.repeat(81) }],
    ['a street of 201 letters', { street: 'x'.repeat(201) }],
    ['a street with a control character', { street: 'MG \u0007Road' }],
    ['a city in two lines', { city: 'Pune\nIndia' }],
    ['a name that is turned around', { recipient_name: 'Kamala\u202eDevi' }],
    ['a label of 41 letters', { label: 'x'.repeat(41) }],
    ['no label', { label: '' }],
  ])('%s is refused', async (_what, change) => {
    const customer = await insertUser(database.sql);
    await expect(add(customer, change)).rejects.toMatchObject({ code: '23514' });
  });

  test('the profile refuses the same phone and pincode', async () => {
    const customer = await insertUser(database.sql);
    for (const change of [{ phone: '12345' }, { zip: '011001' }, { street: 'x'.repeat(201) }, { city: 'Pune\u0085' }])
      await expect(
        database.sql`insert into public.user_profiles ${database.sql({ user_id: customer, ...change })}`,
      ).rejects.toMatchObject({ code: '23514' });
  });
});

test('an address cannot be given away, and its dates are the shop’s', async () => {
  const [customer, stranger] = [await insertUser(database.sql), await insertUser(database.sql)];
  const id = await add(customer);
  await expect(
    as(
      database.sql,
      { userId: customer },
      (tx) => tx`update public.customer_addresses set user_id = ${stranger} where id = ${id}`,
    ),
  ).rejects.toMatchObject({ code: expect.stringMatching(/PT403|42501/) });
  await as(
    database.sql,
    { userId: customer },
    (tx) =>
      tx`update public.customer_addresses set created_at = '2001-01-01', updated_at = '2001-01-01' where id = ${id}`,
  );
  const [row] =
    await database.sql`select created_at > '2020-01-01' as c, updated_at > '2020-01-01' as u from public.customer_addresses where id = ${id}`;
  expect(row).toEqual({ c: true, u: true });
});

test('at most fifty, also when two tabs add the last one', async () => {
  const customer = await insertUser(database.sql);
  for (let place = 0; place < 49; place += 1) await add(customer);
  const added = await Promise.allSettled([add(customer), add(customer), add(customer)]);
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(add(customer)).rejects.toMatchObject({ code: 'PT409' });
  expect(await database.sql`select from public.customer_addresses where user_id = ${customer}`).toHaveLength(50);
});

test('whether a book is full is told to its customer alone', async () => {
  const [customer, stranger] = [await insertUser(database.sql), await insertUser(database.sql)];
  for (let place = 0; place < 50; place += 1)
    await database.sql`insert into public.customer_addresses ${database.sql({ user_id: customer, ...nani })}`;
  await expect(add(customer)).rejects.toMatchObject({ code: 'PT409' });
  const addedFor = as(
    database.sql,
    { userId: stranger },
    (tx) => tx`insert into public.customer_addresses ${tx({ user_id: customer, ...nani })}`,
  );
  await expect(addedFor).rejects.toMatchObject({ code: expect.stringMatching(/PT403|42501/) });
});

test('a hundred changes an hour, and no more', async () => {
  const customer = await insertUser(database.sql);
  const id = await add(customer);
  const change = () =>
    as(
      database.sql,
      { userId: customer },
      (tx) => tx`update public.customer_addresses set city = 'Mumbai' where id = ${id}`,
    );
  for (let time = 0; time < 99; time += 1) await change();
  await expect(change()).rejects.toMatchObject({ code: 'PT429' });
});
