// Signed links for one order: what they open, and that anything else opens nothing and takes as long.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser, type Queries } from '../../tests/support/rows.ts';
import { openTill } from '../../tests/support/till.ts';
import { FollowedOrder } from '../contracts/order-links.ts';

let database: TestDatabase;
let productId: number;
let buyer: string;
let orderId: string;
let otherId: string;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  productId = await insertProduct(database.sql, { stock: 1000 });
  buyer = await insertUser(database.sql);
  orderId = (await insertPaidOrder(database.sql, { userId: buyer, productId })).id;
  otherId = (await insertPaidOrder(database.sql, { userId: await insertUser(database.sql), productId })).id;
});
afterAll(() => database.drop());

const made = '2026-11-20 10:00+05:30';
const linkOf = async (id: string, at = made): Promise<string> =>
  (await database.sql`select private.order_link(${id}, ${at}) as token`)[0]?.token;
const opens = async (token: string | null, at = made, sql: Queries = database.sql): Promise<string | null> =>
  (await sql`select private.order_of_link(${token}, ${at}) as id`)[0]?.id;
const newOrder = async (userId: string | null = buyer) =>
  (await insertPaidOrder(database.sql, { userId, productId })).id;

/** The same token with other bytes in it. */
function changed(token: string, place: number, value: (byte: number) => number): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes[place] = value(bytes[place] ?? 0);
  return bytes.toString('base64url');
}

describe('a link', () => {
  test('opens its order and no other', async () => {
    const [token, other] = [await linkOf(orderId), await linkOf(otherId)];
    expect(token).toMatch(/^[A-Za-z0-9_-]{72}$/);
    expect([await opens(token), await opens(other)]).toEqual([orderId, otherId]);
    // The signature of one order below the number of another.
    const [bytes, others] = [Buffer.from(token, 'base64url'), Buffer.from(other, 'base64url')];
    const mixed = Buffer.concat([others.subarray(0, 22), bytes.subarray(22)]).toString('base64url');
    expect(await opens(mixed)).toBeNull();
  });

  test('works for sixty days after the day on which it was made', async () => {
    const token = await linkOf(orderId);
    expect(await opens(token, '2027-01-19 23:59:59+05:30')).toBe(orderId);
    expect(await opens(token, '2027-01-20 00:00:00+05:30')).toBeNull();
  });

  test('is the same all day, so that an email that is sent again says the same', async () => {
    expect(await linkOf(orderId, '2026-11-20 00:00+05:30')).toBe(await linkOf(orderId, '2026-11-20 23:59+05:30'));
    expect(await linkOf(orderId, '2026-11-21 00:00+05:30')).not.toBe(await linkOf(orderId, '2026-11-20 23:59+05:30'));
  });

  test('no byte of it can be changed, nor its last day moved', async () => {
    const token = await linkOf(orderId);
    for (let place = 0; place < 54; place += 1)
      expect(await opens(changed(token, place, (byte) => byte ^ 1)), `byte ${place}`).toBeNull();
  });

  test('other texts open nothing and are no error', async () => {
    const token = await linkOf(orderId);
    for (const text of [
      null,
      '',
      'x',
      orderId,
      `${token}A`,
      token.slice(1),
      ` ${token}`,
      `${token}\n`,
      '💥'.repeat(72),
      'A'.repeat(72),
      '='.repeat(72),
      'a'.repeat(100_000),
    ])
      expect(await opens(text), String(text).slice(0, 80)).toBeNull();
  });

  test('of a shop whose key is another one opens nothing, and without a key there is none', async () => {
    const token = await linkOf(orderId);
    await database.sql
      .begin(async (tx) => {
        await tx`update private.link_key set key = ${'5a'.repeat(64)} where id = 1`;
        expect(await opens(token, made, tx)).toBeNull();
        await tx`delete from private.link_key where id = 1`;
        const content = Buffer.from(token, 'base64url').subarray(0, 22).toString('hex');
        const [zero] = await tx`select private.hmac_sha256(${`follow order ${content}`}, ${'0'.repeat(128)}) as mac`;
        expect(await opens(Buffer.from(content + zero?.mac, 'hex').toString('base64url'), made, tx)).toBeNull();
        throw new Error('undo');
      })
      .catch(({ message }) => expect(message).toBe('undo'));
    expect(await opens(token)).toBe(orderId);
  });

  test('a signature made for another purpose opens nothing', async () => {
    const content = Buffer.from(await linkOf(orderId), 'base64url').subarray(0, 22);
    const [row] = await database.sql`
      select encode(private.link_signature(${`stop reminders of ${content.toString('hex')}`}), 'hex') as mac`;
    expect(await opens(Buffer.concat([content, Buffer.from(row?.mac, 'hex')]).toString('base64url'))).toBeNull();
  });
});

describe('revoking', () => {
  const asBuyer = (call: string, id: string, userId = buyer) =>
    as(database.sql, { userId }, async (tx) => (await tx.unsafe(`select public.${call}('${id}') as a`))[0]?.a);

  test('ends the links made until now, of this order alone; new ones work', async () => {
    const [first, second] = [await newOrder(), await newOrder()];
    const [token, other] = [await linkOf(first), await linkOf(second)];
    const answer = await asBuyer('revoke_my_order_links', first);
    expect([await opens(token), await opens(other)]).toEqual([null, second]);
    expect(answer).toMatchObject({ days: 60 });
    expect(Date.parse(answer.revoked_at)).toBeGreaterThan(0);
    expect(await opens(answer.token, new Date().toISOString())).toBe(first);
  });

  test('is for the customer of the order, and nobody else learns a link', async () => {
    const id = await newOrder();
    const stranger = await insertUser(database.sql);
    expect([
      await asBuyer('my_order_link', id, stranger),
      await asBuyer('revoke_my_order_links', id, stranger),
    ]).toEqual([null, null]);
    expect(await asBuyer('my_order_link', id)).toMatchObject({ revoked_at: null });
    for (const call of ['my_order_link', 'revoke_my_order_links'])
      await expect(as(database.sql, 'anon', (tx) => tx.unsafe(`select public.${call}('${id}')`))).rejects.toThrow(
        /permission denied/,
      );
    for (const caller of ['anon', { userId: buyer }] as const)
      await expect(as(database.sql, caller, (tx) => tx`select private.order_link(${id}, now())`)).rejects.toThrow(
        /permission denied/,
      );
  });

  test('has a limit', async () => {
    const owner = await insertUser(database.sql);
    const id = await newOrder(owner);
    for (let turn = 0; turn < 20; turn += 1) await asBuyer('revoke_my_order_links', id, owner);
    await expect(asBuyer('revoke_my_order_links', id, owner)).rejects.toThrow(/at most twenty/);
  });

  test('by the console, which is logged; customers cannot', async () => {
    const id = await newOrder();
    const token = await linkOf(id);
    const owner = await insertUser(database.sql, { administrator: true });
    for (const call of ['admin_make_order_link', 'admin_revoke_order_links'])
      await expect(asBuyer(call, id)).rejects.toThrow(/administrator/i);
    expect((await asBuyer('admin_make_order_link', id, owner)).token).toHaveLength(72);
    await asBuyer('admin_revoke_order_links', id, owner);
    expect(await opens(token)).toBeNull();
    const [entry] = await database.sql`
      select actor_id, after from public.audit_log where table_name = 'order_link_revocations' order by id desc limit 1`;
    expect([entry?.actor_id, entry?.after.order_id]).toEqual([owner, id]);
    await expect(database.sql`delete from private.order_link_revocations where order_id = ${id}`).rejects.toThrow(
      /never changed/,
    );
  });

  test('comes with erasing the customer', async () => {
    const person = await insertUser(database.sql);
    const { id } = await insertPaidOrder(database.sql, { userId: person, productId });
    await database.sql`update public.orders set status = 'canceled' where id = ${id}`;
    await database.sql`update private.refunds set status = 'processed', processed_at = now() where order_id = ${id}`;
    await database.sql`update public.orders set payment_status = 'refunded' where id = ${id}`;
    const token = await linkOf(id);
    expect(await opens(token)).toBe(id);
    const owner = await insertUser(database.sql, { administrator: true });
    await database.sql`insert into private.erasures (customer_id, orders, erased_by) values (${person}, 1, ${owner})`;
    expect(await opens(token)).toBeNull();
    expect(await opens(await linkOf(id))).toBeNull();
  });
});

describe('the page of a link', () => {
  const read = (token: string) =>
    as(database.sql, 'anon', async (tx) => (await tx`select public.order_by_link(${token}) as a`)[0]?.a);

  test('shows where the order is and what is in it, and nobody’s address or phone in full', async () => {
    const userId = await insertUser(database.sql, { name: 'Zubeida Mirchandani' });
    const { id } = await insertPaidOrder(database.sql, { userId, productId, deliveryName: 'Zubeida Mirchandani' });
    await database.sql`update public.orders set delivery_building_no = 'Flat 7Q', delivery_street = 'Turner Road',
      delivery_city = 'Mumbai', delivery_phone = '98200 41237', delivery_zip = '400050', status = 'Confirmed' where id = ${id}`;
    await database.sql`insert into private.order_gifts (order_id, note, motif, sender_name)
      values (${id}, 'Secret words', 'diwali', 'Sender Singh')`;
    await as(database.sql, { userId: await insertUser(database.sql, { administrator: true }) }, async (tx) => {
      await tx`select public.admin_move_order(o.id, 'Preparing', o.updated_at, 'Call 98200 41237 at Turner Road')
        from public.orders o where o.id = ${id}`;
    });
    const answer = await read(await linkOf(id, new Date().toISOString()));
    expect(FollowedOrder.parse(answer)).toMatchObject({
      status: 'Preparing',
      is_gift: true,
      to: { name: 'Zubeida', city: 'Mumbai', phone_end: '237' },
      items: [{ quantity: 2, line_paise: 20_000 }],
      total_paise: 25_000,
    });
    expect(answer.events.map(({ status }: { status: string }) => status)).toEqual([
      'Pending',
      'Confirmed',
      'Preparing',
    ]);
    const text = JSON.stringify(answer);
    for (const secret of ['Mirchandani', 'Turner', '7Q', '41237', '400050', 'Secret', 'Sender', userId, id, '@'])
      expect(text, secret).not.toContain(secret);
  });

  test('is nothing for a link that is not good, whatever is wrong with it', async () => {
    const old = await linkOf(orderId, '2020-01-01');
    for (const token of [old, changed(old, 3, (byte) => byte ^ 1), 'x', '']) expect(await read(token)).toBeNull();
  });
});

describe('an email about an order', () => {
  test('carries the link, in its text and in its HTML', async () => {
    const till = openTill(database.connection, database.sql);
    try {
      const { id } = await insertPaidOrder(database.sql, { userId: buyer, productId });
      await till.work();
      const mail = till.mails.find(({ text }) => text.includes(id.slice(0, 8)));
      const links = [mail?.text, mail?.html].map(
        (part) => /http:\/\/shop\.test\/order\/([\w-]{72})/.exec(part ?? '')?.[1] ?? '',
      );
      expect(links[0]).not.toBe('');
      expect(links[1]).toBe(links[0]);
      expect(await opens(links[0] ?? '', new Date().toISOString())).toBe(id);
    } finally {
      await till.close();
    }
  });

  test('to the recipient of a gift carries none', async () => {
    const till = openTill(database.connection, database.sql);
    try {
      const { id } = await insertPaidOrder(database.sql, { userId: buyer, productId, status: 'Packed' });
      await database.sql`insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
        values (${id}, 'Hi', 'diwali', 'Meera', 'kamala@example.com')`;
      await database.sql`update public.orders set status = 'Shipped' where id = ${id}`;
      await till.work();
      const mail = till.mails.find(({ to }) => to.address === 'kamala@example.com');
      expect(mail?.subject).toContain('A box of sweets');
      expect(`${mail?.text}${mail?.html}`).not.toMatch(/\/order\/|₹/);
    } finally {
      await till.close();
    }
  });
});

describe('how long it takes says nothing about orders', () => {
  test('no row of an order is read before the signature is right', async () => {
    const [token, missing] = [await linkOf(orderId), await linkOf('00000000-0000-4000-8000-000000000000')];
    const forged = [token, missing].map((one) => changed(one, 53, (byte) => byte ^ 1));
    await database.sql.begin(async (locker) => {
      await locker`lock table public.orders, private.order_link_revocations in access exclusive mode`;
      const other = await database.sql.reserve();
      try {
        await other`select set_config('lock_timeout', '300ms', false)`;
        for (const one of [...forged, '', 'A'.repeat(72), '_'.repeat(72)])
          expect(await opens(one, made, other)).toBeNull();
        // With our signature it looks: this is what the lock would show.
        await expect(opens(token, made, other)).rejects.toThrow(/lock timeout/);
      } finally {
        await other`select set_config('lock_timeout', '0', false)`;
        other.release();
      }
    });
  });
});
