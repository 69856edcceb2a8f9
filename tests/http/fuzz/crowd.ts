// Who asks in a generated run, what each of them was answered before, and what only the moment of sending knows.
import type { Sql } from 'postgres';
import { type Buyer, mintToken, newBuyers } from '../../support/buyers.ts';
import { instanceKeys } from '../../support/instance-keys.ts';
import { insertProduct, insertUser, insertZone, moveStock } from '../../support/rows.ts';
import { newCustomer } from '../../support/visitor.ts';
import type { Asker, BadCase } from '../bad-input-cases.ts';
import { type RawAnswer, type RawRequest, rawRequest } from '../raw-request.ts';
import { postFrom } from './post-from.ts';

export type Shop = { url: string; dataDir: string };
/** How far a customer is with an order: quoted, created, paid. */
type Purse = Partial<Record<'amount' | 'quote' | 'order' | 'payment' | 'signature', unknown>>;
type Lane = { address: string; customer: Buyer; purse: Purse; refresh: string };

export type Crowd = {
  /** As one of the lane's people, with everything filled in that was left to the moment. */
  send(lane: number, request: BadCase): Promise<{ request: RawRequest; answer: RawAnswer }>;
};

const seenOf: Record<string, [table: string, key: string]> = {
  orders: ['public.orders', 'id'],
  Products: ['public.Products', 'Id'],
  purchase_orders: ['public.purchase_orders', 'id'],
  delivery_zones: ['public.delivery_zones', 'id'],
  closures: ['public.closures', 'id'],
  comments: ['public.comments', 'id'],
  categories: ['public.categories', 'id'],
  couriers: ['private.couriers', 'id'],
  customer_records: ['private.customer_records', 'user_id'],
  search_synonyms: ['private.search_synonyms', 'id'],
};

export async function newCrowd(sql: Sql, shop: Shop, laneCount: number): Promise<Crowd> {
  const keys = instanceKeys(shop.dataDir);
  const administratorId = await insertUser(sql, { name: 'Fuzz Administrator', administrator: true });
  const administrator = {
    apikey: keys.publishableKey,
    Authorization: `Bearer ${await mintToken(shop.dataDir, administratorId)}`,
  };
  const addresses = Array.from({ length: laneCount }, (_, lane) => `127.3.0.${lane + 1}`);
  const buyers = await Promise.all(
    addresses.map(async (address) => (await newBuyers(sql, shop, 1, postFrom(address, shop.url)))[0] as Buyer),
  );
  const keeps = await insertProduct(sql, { stock: 900 });
  const lanes: Lane[] = [];
  for (const [lane, customer] of buyers.entries()) {
    const { data } = await (await newCustomer(shop.url)).auth.getSession();
    const address = addresses[lane] as string;
    lanes.push({ address, customer, purse: {}, refresh: data.session?.refresh_token ?? '' });
  }
  const cursors = new Map<string, unknown>();

  async function seen(table: string, key: string): Promise<unknown> {
    if (table === 'purchase_receipts') {
      const rows = await sql`select purchase_order_id from public.purchase_receipts where id = ${key}`.catch(() => []);
      return rows[0] ? seen('purchase_orders', String(rows[0].purchase_order_id)) : null;
    }
    if (table === 'shop_settings')
      return (await sql`select to_jsonb(updated_at) #>> '{}' as seen from public.shop_settings`)[0]?.seen;
    const [from, column] = seenOf[table] ?? [];
    if (!from || !column) return null;
    const rows =
      await sql`select to_jsonb(updated_at) #>> '{}' as seen from ${sql(from)} where ${sql(column)} = ${key}`.catch(
        () => [],
      );
    return rows[0]?.seen ?? null;
  }

  async function totalOf(body: string): Promise<unknown> {
    try {
      const { lines, fulfilment, delivery, shipping_paise } = JSON.parse(body);
      const priced = await rawRequest(shop.url, {
        method: 'POST',
        target: '/rest/v1/rpc/admin_price_order',
        headers: { ...administrator, 'Content-Type': 'application/json' },
        body: JSON.stringify({ lines, fulfilment, pincode: delivery?.zip, shipping_paise }),
      });
      return JSON.parse(priced.body).total_paise ?? null;
    } catch {
      return null;
    }
  }

  /** Customers who are about to pay have a quote and an order by then. */
  async function catchUp({ customer, purse }: Lane, what: string): Promise<void> {
    if (!purse.quote) {
      const { body } = await customer.quote([{ productId: keeps, quantity: 1, size: 500 }]);
      Object.assign(purse, { quote: body.quote_id, amount: body.total });
    }
    if (['order', 'payment', 'signature'].includes(what) && !purse.order) {
      const { body } = await customer.create({ status: 200, body: { quote_id: purse.quote, total: purse.amount } });
      purse.order = body.id;
    }
    if (['payment', 'signature'].includes(what) && !purse.payment) {
      const paid = await customer.pay({ status: 201, body: { id: purse.order } });
      Object.assign(purse, { payment: paid.razorpay_payment_id, signature: paid.razorpay_signature });
    }
  }

  async function filledIn(body: string, me: string, lane: Lane): Promise<string> {
    const marks = [...body.matchAll(/"@(\w+)(?: (\S+) ([^"]+))?"/g)];
    let filled = body;
    for (const [mark, what = '', table = '', key = ''] of marks) {
      const value = await valueFor(what, { me, lane, table, key, body });
      filled = filled.replace(mark, () => JSON.stringify(value ?? null));
    }
    return filled;
  }

  type Moment = { me: string; lane: Lane; table: string; key: string; body: string };
  async function valueFor(what: string, { me, lane, table, key, body }: Moment): Promise<unknown> {
    switch (what) {
      case 'me':
        return me;
      case 'seen':
        return seen(table, key);
      case 'next':
        return cursors.get(table);
      case 'total':
        return totalOf(body);
      case 'refresh':
        return lane.refresh;
      default:
        await catchUp(lane, what);
        return lane.purse[what as keyof Purse];
    }
  }

  function learn({ target }: RawRequest, { status, body }: RawAnswer, lane: Lane): void {
    const path = target.split('?', 1)[0];
    // Refused or done, the next one begins with a quote.
    if (path === '/functions/v1/placeOrder' || (path === '/functions/v1/createOrder' && status >= 400)) lane.purse = {};
    if (status >= 300 || !body.startsWith('{')) return;
    const said = JSON.parse(body) as Record<string, unknown>;
    const request = /^\/rest\/v1\/rpc\/(\w+)/.exec(target)?.[1];
    if (request && said.next) cursors.set(request, said.next);
    if (path === '/functions/v1/getShippingPrice') lane.purse = { quote: said.quote_id, amount: said.total };
    if (path === '/functions/v1/createOrder') lane.purse.order = said.id;
    if (path === '/test-payments/pay')
      Object.assign(lane.purse, { payment: said.razorpay_payment_id, signature: said.razorpay_signature });
    if (path === '/auth/v1/token') lane.refresh = String(said.refresh_token);
  }

  return {
    async send(laneNumber, { as = 'visitor', ...request }) {
      const lane = lanes[laneNumber] as Lane;
      const { customer } = lane;
      const me = as === 'administrator' ? administratorId : customer.id;
      const headersOf: Record<Asker, Record<string, string>> = {
        visitor: { apikey: keys.publishableKey },
        customer: { apikey: keys.publishableKey, Authorization: `Bearer ${customer.token}` },
        administrator,
        service: { apikey: keys.secretKey },
      };
      const { body } = request;
      const sent: RawRequest = {
        ...request,
        from: lane.address,
        headers: { ...headersOf[as], ...request.headers },
        ...(typeof body === 'string' ? { body: await filledIn(body, me, lane) } : {}),
      };
      const answer = await rawRequest(shop.url, sent);
      learn(sent, answer, lane);
      return { request: sent, answer };
    },
  };
}

/** The same people without their rights: what administrators and the shop itself would send is sent by a customer. */
export function outsidersOf(crowd: Crowd): Crowd {
  return {
    send: (lane, { as = 'visitor', ...request }) =>
      crowd.send(lane, { ...request, as: as === 'visitor' ? 'visitor' : 'customer' }),
  };
}

/** Administrators delete, archive and sell out by right: there is always something left to buy and to bring. */
export async function fillShelves(sql: Sql): Promise<void> {
  const [left] = await sql<{ count: number }[]>`
    select count(*)::int as count from public."Products" p join public.stock_levels s on s.product_id = p."Id"
    where p.is_listed and p.archived_at is null and s.on_hand - s.reserved > 5000`;
  for (let missing = 12 - (left?.count ?? 0); missing > 0; missing -= 1)
    await moveStock(sql, await insertProduct(sql, { hasSize: missing % 2 === 0 }), 90_000, 'production');
  const [zones] =
    await sql`select count(*)::int as count from public.delivery_zones where is_published and '4' = any (pincode_prefixes)`;
  if (zones?.count === 0) await insertZone(sql, { prefixes: ['4'] });
}
