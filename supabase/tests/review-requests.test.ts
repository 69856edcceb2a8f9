// Some days after an order arrived, its customer is asked once to review what they bought. The clock is turned; orders arrive today.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  insertPaidOrder,
  insertProduct,
  insertReview,
  insertUser,
  type NewOrder,
} from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';

let database: TestDatabase;
let till: Till;
let productId: number;
const day = 86_400_000;
const today = Date.now();

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  productId = await insertProduct(database.sql, { name: 'Besan Laddu', stock: 10_000 });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

/** A customer whose order arrived today. */
async function arrived(order: Partial<NewOrder> = {}): Promise<{ userId: string; id: string }> {
  const userId = await insertUser(database.sql, { name: 'Meera Joshi' });
  const pickup = order.fulfilment === 'pickup';
  const { id } = await insertPaidOrder(database.sql, {
    userId,
    productId,
    status: pickup ? 'Ready' : 'Shipped',
    ...order,
  });
  await database.sql`update public.orders set status = ${pickup ? 'Collected' : 'Delivered'} where id = ${id}`;
  await workOn(0);
  return { userId, id };
}
async function workOn(days: number): Promise<void> {
  till.clock.at = today + days * day + 60_000;
  await till.work();
}
const asked = (userId: string) =>
  till.mails.filter(({ to, key }) => to.address === `${userId}@example.com` && key.startsWith('mail:review-request:'));

describe('a review request', () => {
  test('is one email, four days after the order arrived, with a link to each product', async () => {
    const { userId } = await arrived();
    await workOn(3.9);
    expect(asked(userId)).toHaveLength(0);
    await workOn(4.1);
    await workOn(4.2);
    await workOn(9);
    const [mail, ...others] = asked(userId);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('How did you like Besan Laddu?');
    for (const part of [mail?.text, mail?.html])
      expect(part).toContain(`http://shop.test/product/${productId}#reviews`);
    expect(mail?.unsubscribeUrl).toContain(`/unsubscribe?token=${userId}.review-requests.`);
  });

  test('comes for what was collected, too', async () => {
    const { userId } = await arrived({ fulfilment: 'pickup' });
    await workOn(4.1);
    expect(asked(userId)).toHaveLength(1);
  });

  test('asks only about what is not reviewed yet and still in the shop', async () => {
    const { userId } = await arrived();
    await insertReview(database.sql, { userId, productId });
    const unlisted = await insertProduct(database.sql, { stock: 10 });
    const { userId: other } = await arrived({ productId: unlisted });
    await database.sql`update public."Products" set is_listed = false where "Id" = ${unlisted}`;
    await workOn(4.1);
    expect([asked(userId), asked(other)]).toEqual([[], []]);
  });

  test('is not sent to who switched it off, also while it waits, nor after one press of its link', async () => {
    const before = await arrived();
    await as(database.sql, before, (tx) => tx`select public.choose_consent('review-requests', false, 'profile')`);
    const after = await arrived();
    await workOn(4.1);
    expect(asked(before.userId)).toHaveLength(0);
    const token = /token=([^\s]+)/.exec(asked(after.userId)[0]?.text ?? '')?.[1] ?? '';
    expect(
      (await as(database.sql, 'anon', (tx) => tx`select public.stop_messages(${token}) as purpose`))[0]?.purpose,
    ).toBe('review-requests');
    const { id } = await insertPaidOrder(database.sql, { userId: after.userId, productId, status: 'Shipped' });
    await database.sql`update public.orders set status = 'Delivered' where id = ${id}`;
    await workOn(0);
    await workOn(4.1);
    expect(asked(after.userId)).toHaveLength(1);
  });

  test('is not sent for what was canceled, refunded in part, given back, or never arrived', async () => {
    const canceled = await insertUser(database.sql);
    await insertPaidOrder(database.sql, { userId: canceled, productId, status: 'Pending' }).then(
      ({ id }) => database.sql`update public.orders set status = 'canceled' where id = ${id}`,
    );
    const underWay = await insertUser(database.sql);
    await insertPaidOrder(database.sql, { userId: underWay, productId, status: 'Shipped' });
    const refunded = await arrived();
    const partly = await arrived();
    const owner = await insertUser(database.sql, { administrator: true });
    for (const [{ id }, paise] of [
      [refunded, 25_000],
      [partly, 500],
    ] as const)
      await as(
        database.sql,
        { userId: owner },
        (tx) => tx`
        select public.admin_refund_order(o.id, ${paise}, 'Not fresh', o.updated_at) from public.orders o where o.id = ${id}`,
      );
    await workOn(0);
    await workOn(4.1);
    for (const userId of [canceled, underWay, refunded.userId, partly.userId]) expect(asked(userId)).toHaveLength(0);
  });

  test('is not sent while a claim about it is open, nor after one that was settled', async () => {
    const claim = (order: { id: string; userId: string }, decision: string | null) => database.sql`
      insert into private.claims (order_id, user_id, entry_id, state, decision, opened_at, acknowledge_by, decide_by, acknowledged_at, decided_at, settle_by)
      values (${order.id}, ${order.userId}, gen_random_uuid(), ${decision ? 'decided' : 'received'}, ${decision}, now(), now(), current_date,
              ${decision ? new Date() : null}, ${decision ? new Date() : null}, ${decision === 'replacement' ? '2026-12-01' : null})`;
    const [open, replaced, refused] = [await arrived(), await arrived(), await arrived()];
    await claim(open, null);
    await claim(replaced, 'replacement');
    await claim(refused, 'refusal');
    await workOn(4.1);
    expect([open, replaced, refused].map(({ userId }) => asked(userId).length)).toEqual([0, 0, 1]);
  });

  test('is not sent for a gift: another person ate it', async () => {
    const userId = await insertUser(database.sql);
    const { id } = await insertPaidOrder(database.sql, { userId, productId, status: 'Shipped' });
    await database.sql`insert into private.order_gifts (order_id, note, motif, sender_name) values (${id}, 'Hi', 'diwali', 'Meera')`;
    await database.sql`update public.orders set status = 'Delivered' where id = ${id}`;
    await workOn(0);
    await workOn(4.1);
    expect(asked(userId)).toHaveLength(0);
  });

  test('is not sent for a delivery that was undone, and once after it arrived after all', async () => {
    const owner = await insertUser(database.sql, { administrator: true });
    const userId = await insertUser(database.sql);
    const { id } = await insertPaidOrder(database.sql, { userId, productId, status: 'Shipped' });
    const move = (call: string) => as(database.sql, { userId: owner }, (tx) => tx.unsafe(call));
    await move(
      `select public.admin_move_order(o.id, 'Delivered', o.updated_at) from public.orders o where o.id = '${id}'`,
    );
    // Before its email leaves, while it can be undone.
    till.clock.at = Date.now();
    await till.work();
    await move(
      `select public.admin_undo_moves(jsonb_build_array(jsonb_build_object('id', o.id, 'seen', o.updated_at))) from public.orders o where o.id = '${id}'`,
    );
    expect((await database.sql`select status from public.orders where id = ${id}`)[0]?.status).toBe('Shipped');
    await move(
      `select public.admin_move_order(o.id, 'Delivered', o.updated_at) from public.orders o where o.id = '${id}'`,
    );
    await workOn(0);
    await workOn(4.1);
    await workOn(8.2);
    expect(asked(userId)).toHaveLength(1);
  });

  test('is one under two workers, and when a worker dies after it was sent', async () => {
    const { userId } = await arrived();
    till.clock.at = today + 4.1 * day;
    await Promise.all([till.work(), till.work()]);
    expect(asked(userId)).toHaveLength(1);
    // Its response was lost: what is sent again has the same key, by which the mail server knows it.
    await database.sql`update private.outbox set done_at = null, run_after = now() where key = ${asked(userId)[0]?.key ?? ''}`;
    await till.work();
    expect(new Set(asked(userId).map(({ key }) => key)).size).toBe(1);
  });

  test('waits for the mail server for three days, although it was queued four days before', async () => {
    const { userId } = await arrived();
    till.breakMail(true);
    await workOn(4.1);
    till.breakMail(false);
    await workOn(4.3);
    expect(asked(userId)).toHaveLength(1);
  });

  test('a clock that was set right does not send it early', async () => {
    const { userId } = await arrived();
    await workOn(0.1);
    await workOn(1);
    expect(asked(userId)).toHaveLength(0);
  });
});
