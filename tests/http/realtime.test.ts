import { expect, inject, test } from 'vitest';
import { newClient, newCustomer, publicEnvironment, type ShopClient, signInAs, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');

/** Watches a table and answers what arrived; resolves when the server has accepted the subscription. */
async function watch(client: ShopClient, table: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  await client.realtime.setAuth();
  await new Promise<void>((subscribed, failed) => {
    client
      .channel(`watch-${table}`)
      .on('postgres_changes', { event: '*', schema: 'public', table }, ({ new: row }) => rows.push(row))
      .subscribe((status, error) => (status === 'SUBSCRIBED' ? subscribed() : error && failed(error)));
  });
  return rows;
}

test('a change of an order reaches its owner and the administrator, not a stranger or a visitor', async () => {
  const [priya, asha, stranger] = await Promise.all([
    signInAs(shopUrl, { account: 'Priya Sharma' }),
    signInAs(shopUrl, { account: 'Asha Rao' }),
    newCustomer(shopUrl),
  ]);
  const visitor = newClient(await publicEnvironment(shopUrl));
  const { data: order } = await priya.from('orders').select('id, updated_at').eq('status', 'Shipped').limit(1).single();
  const [toOwner, toAdministrator, toStranger, toVisitor] = await Promise.all(
    [priya, asha, stranger, visitor].map((client) => watch(client, 'orders')),
  );

  const courier = `Courier ${Date.now()}`;
  const changed = await asha.rpc('admin_change_tracking', {
    order_id: order?.id ?? '',
    courier,
    tracking_number: '',
    tracking_url: '',
    seen: order?.updated_at ?? null,
  });
  expect(changed.error).toBeNull();

  await expect.poll(() => toOwner?.map((row) => row.courier)).toEqual([courier]);
  // Other tests place orders at the same time.
  const ofThisOrder = (row: Record<string, unknown>) => row.id === order?.id;
  await expect.poll(() => toAdministrator?.filter(ofThisOrder).map((row) => row.courier)).toEqual([courier]);
  // A public change, sent afterwards: once it has arrived, the order would have arrived too.
  const seen = await Promise.all([stranger, visitor].map((client) => watch(client, 'Products')));
  const { data: product } = await asha.from('Products').select('Id, storage').eq('Id', 1).single();
  await asha
    .from('Products')
    .update({ storage: product?.storage ?? '' })
    .eq('Id', product?.Id ?? 0);
  for (const rows of seen) await expect.poll(() => rows.length).toBeGreaterThan(0);
  expect(toStranger).toEqual([]);
  expect(toVisitor).toEqual([]);
  expect(await userIdOf(stranger)).not.toBe(await userIdOf(priya));
  await Promise.all([priya, asha, stranger, visitor].map((client) => client.realtime.disconnect()));
});
