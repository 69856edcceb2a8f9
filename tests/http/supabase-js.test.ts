import { createClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Database } from '#database-types';
import { instanceKeys } from '../support/instance-keys.ts';
import { newClient, newCustomer, publicEnvironment, type ShopClient, signInAs, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const keys = instanceKeys(inject('shopDataDir'));
/** Sees every row: to prove that something did not change. */
const overseer = createClient<Database>(backendUrl, keys.secretKey, { auth: { persistSession: false } });
const priyaId = '00000000-0000-4000-a000-000000000001';
let visitor: ShopClient;
let customer: ShopClient;
let customerId: string;

beforeAll(async () => {
  visitor = newClient(await publicEnvironment(shopUrl));
  customer = await newCustomer(shopUrl);
  customerId = await userIdOf(customer);
});

test('/env.json names the origin of the backend and the public key, and nothing else', async () => {
  const response = await fetch(`${shopUrl}/env.json`);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toEqual({ url: backendUrl, key: keys.publishableKey });
});

describe('a visitor', () => {
  test('reads products, slides and testimonials', async () => {
    const products = await visitor.from('Products').select();
    expect(products.error).toBeNull();
    expect(products.data?.length).toBeGreaterThanOrEqual(30);
    const named = products.data?.find(({ Id }) => Id === 9);
    expect(named).toMatchObject({ Name: 'Besan Laddu', Category: 'Laddu', hasSize: true });
    expect(Number(named?.Price)).toBe(320);
    expect((await visitor.from('caurousel').select()).data?.length).toBeGreaterThan(0);
    const testimonials = await visitor.from('testimonials').select().limit(5);
    expect(testimonials.data).toHaveLength(5);
    expect(testimonials.data?.every(({ stars }) => stars >= 1 && stars <= 5)).toBe(true);
  });

  test('learns nothing about others from is_administrator and get_user_info', async () => {
    const owner = '00000000-0000-4000-a000-000000000003';
    expect((await visitor.rpc('is_administrator', { user_id: owner })).data).toBe(false);
    const info = await visitor.rpc('get_user_info', { user_id: customerId });
    expect(info.error).toBeNull();
    expect(info.data).toEqual({ name: 'Anonymous', avatar_url: null });
  });

  test('cannot write public data', async () => {
    const before = await overseer.from('Products').select('Name, Price').eq('Id', 9).single();
    await visitor.from('Products').update({ Price: 1 }).eq('Id', 9);
    await visitor.from('Products').delete().eq('Id', 9);
    expect((await visitor.from('Products').insert({ Name: 'Free', Price: 1, Category: 'Gift' })).error).not.toBeNull();
    expect((await overseer.from('Products').select('Name, Price').eq('Id', 9).single()).data).toEqual(before.data);
    expect((await overseer.from('Products').select('Id').eq('Name', 'Free')).data).toEqual([]);
  });
});

describe('a customer', () => {
  test('signs in with PKCE, refreshes the session and signs out', async () => {
    const client = await newCustomer(shopUrl);
    const first = (await client.auth.getSession()).data.session;
    const refreshed = await client.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect(refreshed.data.session?.refresh_token).not.toBe(first?.refresh_token);
    expect(refreshed.data.user?.id).toBe(first?.user.id);
    expect((await client.from('user_profiles').select()).error).toBeNull();

    const last = refreshed.data.session?.refresh_token ?? '';
    expect((await client.auth.signOut()).error).toBeNull();
    expect((await client.auth.getSession()).data.session).toBeNull();
    const revived = await client.auth.refreshSession({ refresh_token: last });
    expect(revived.error?.status).toBeGreaterThanOrEqual(400);
    expect(revived.data.session).toBeNull();
  });

  test('has a profile of their own', async () => {
    const profile = {
      user_id: customerId,
      phone: '9876543210',
      building_no: '4',
      street: 'मेन रोड',
      city: 'Pune',
      state: 'Maharashtra',
      zip: '411038',
    };
    for (const city of ['Pune', 'Mumbai']) {
      const saved = await customer
        .from('user_profiles')
        .upsert({ ...profile, city, updated_at: new Date().toISOString() });
      expect(saved.error).toBeNull();
      const { data } = await customer
        .from('user_profiles')
        .select('user_id, phone, building_no, street, city, state, zip');
      expect(data).toEqual([{ ...profile, city }]);
    }
  });

  test('can ask is_administrator about themselves only', async () => {
    expect((await customer.rpc('is_administrator', { user_id: customerId })).data).toBe(false);
    const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
    const ashaId = await userIdOf(asha);
    expect((await asha.rpc('is_administrator', { user_id: ashaId })).data).toBe(true);
    expect((await customer.rpc('is_administrator', { user_id: ashaId })).data).toBe(false);
  });

  const foreignTables = [
    'user_profiles',
    'orders',
    'order_items',
    'order_events',
    'order_details_view',
    'notify_subscriptions',
    'vendors',
    'purchase_orders',
    'purchase_order_items',
    'expenses',
    'stock_movements',
    'audit_log',
  ] as const;

  test.each(foreignTables)('reads only their own rows of %s', async (table) => {
    const stranger = await newCustomer(shopUrl);
    const all = await overseer.from(table as 'orders').select('*', { count: 'exact', head: true });
    expect(all.error).toBeNull();
    const seen = await stranger.from(table as 'orders').select();
    expect(seen.data ?? []).toEqual([]);
    expect((await visitor.from(table as 'orders').select()).data ?? []).toEqual([]);
  });

  test('cannot change the rows of others', async () => {
    const rows = async () =>
      Promise.all([
        overseer.from('user_profiles').select().eq('user_id', priyaId).throwOnError(),
        overseer
          .from('orders')
          .select('*, order_items(*)')
          .eq('user_id', '00000000-0000-4000-a000-000000000004')
          .order('id')
          .throwOnError(),
        overseer.from('comments').select().neq('user_id', customerId).lte('id', 50).order('id').throwOnError(),
        overseer.from('shop_settings').select('name, legal_name, gstin').throwOnError(),
      ]).then((answers) => answers.map(({ data }) => data));
    const before = await rows();
    expect(before.every((data) => (data?.length ?? 0) > 0)).toBe(true);
    await customer.from('user_profiles').update({ city: 'Stolen' }).eq('user_id', priyaId);
    await customer.from('user_profiles').upsert({ user_id: priyaId, city: 'Stolen' });
    await customer.from('user_profiles').update({ user_id: priyaId }).eq('user_id', customerId);
    await customer.from('orders').update({ status: 'canceled' }).neq('id', customerId);
    await customer.from('orders').delete().neq('id', customerId);
    await customer.from('order_items').update({ unit_price: 1 }).gt('id', 0);
    await customer.from('comments').update({ content: 'Stolen' }).gt('id', 0);
    await customer.from('comments').delete().gt('id', 0);
    await customer.from('shop_settings').update({ name: 'Stolen' }).eq('id', true);
    expect(await rows()).toEqual(before);
  });

  test('cannot write in the name of another customer', async () => {
    const review = { content: 'Not mine', rating: 1, product_id: 9, user_id: priyaId };
    expect((await customer.from('comments').insert(review)).error?.code).toBe('42501');
    const subscription = { product_id: 9, user_id: priyaId };
    expect((await customer.from('notify_subscriptions').insert(subscription)).error?.code).toBe('42501');
    expect((await overseer.from('comments').select().eq('content', 'Not mine')).data).toEqual([]);
  });

  test('cannot insert an order or its lines', async () => {
    const payment_id = `pay_forged_${Date.now()}`;
    const order = {
      user_id: customerId,
      payment_id,
      source: 'cart',
      sub_total: 1,
      tax: 0,
      shipping_charge: 0,
      total_amount: 1,
      delivery_name: 'A',
      delivery_phone: '9',
      delivery_zip: '411038',
    };
    const inserted = await customer.from('orders').insert(order);
    expect(inserted.status).toBe(403);
    expect((await overseer.from('orders').select('id').eq('payment_id', payment_id)).data).toEqual([]);

    const [existing] = (await overseer.from('orders').select('id, order_items(id)').limit(1)).data ?? [];
    const line = {
      order_id: existing?.id ?? '',
      product_id: 9,
      product_name: 'X',
      quantity: 1,
      size: 500,
      unit_price: 1,
      gst_percent: 5,
      hsn: '2106',
      has_size: true,
    };
    expect((await customer.from('order_items').insert(line)).status).toBe(403);
    const lines = await overseer.from('order_items').select('id').eq('order_id', line.order_id);
    expect(lines.data).toHaveLength(existing?.order_items.length ?? -1);
  });
});

test('200 visitors who request the products at the same moment all get them', async () => {
  const headers = { apikey: keys.publishableKey };
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const response = await fetch(`${backendUrl}/rest/v1/Products`, { headers });
      return { status: response.status, rows: ((await response.json()) as unknown[]).length };
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(Math.min(...answers.map(({ rows }) => rows))).toBeGreaterThanOrEqual(30);
});
