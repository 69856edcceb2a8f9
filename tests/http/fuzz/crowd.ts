// Who asks in a generated run, what each of them was answered before, and what only the moment of sending knows.
import type { Sql } from 'postgres';
import { type Buyer, mintToken, newBuyers } from '../../support/buyers.ts';
import { instanceKeys } from '../../support/instance-keys.ts';
import { insertProduct, insertUser, insertZone, moveStock } from '../../support/rows.ts';
import { newCustomer } from '../../support/visitor.ts';
import type { Asker, BadCase } from '../bad-input-cases.ts';
import { type RawAnswer, type RawRequest, rawRequest } from '../raw-request.ts';

export type Shop = { url: string; dataDir: string };
type Purse = Partial<Record<'amount' | 'quote' | 'order' | 'payment' | 'signature', unknown>>;
type Lane = { customers: Buyer[]; purses: Purse[]; refresh: string; sent: number };

export type Crowd = {
  /** As one of the lane's people, with everything filled in that was left to the moment. */
  send(lane: number, request: BadCase): Promise<{ request: RawRequest; answer: RawAnswer }>;
};

const customersPerLane = 2;
const seenOf: Record<string, [table: string, key: string]> = {
  orders: ['public.orders', 'id'],
  Products: ['public.Products', 'Id'],
  purchase_orders: ['public.purchase_orders', 'id'],
  delivery_zones: ['public.delivery_zones', 'id'],
  closures: ['public.closures', 'id'],
  comments: ['public.comments', 'id'],
  shop_settings: ['public.shop_settings', 'id'],
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
  const buyers = await newBuyers(sql, shop, laneCount * customersPerLane);
  const lanes: Lane[] = [];
  for (let lane = 0; lane < laneCount; lane += 1) {
    const { data } = await (await newCustomer(shop.url)).auth.getSession();
    const customers = buyers.slice(lane * customersPerLane, (lane + 1) * customersPerLane);
    lanes.push({ customers, purses: customers.map(() => ({})), refresh: data.session?.refresh_token ?? '', sent: 0 });
  }
  const cursors = new Map<string, unknown>();

  async function seen(table: string, key: string): Promise<unknown> {
    if (table === 'purchase_receipts') {
      const rows = await sql`select purchase_order_id from public.purchase_receipts where id = ${key}`.catch(() => []);
      return rows[0] ? seen('purchase_orders', String(rows[0].purchase_order_id)) : null;
    }
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

  async function filledIn(body: string, me: string, lane: Lane, purse: Purse): Promise<string> {
    const marks = [...body.matchAll(/"@(\w+)(?: (\S+) ([^"]+))?"/g)];
    let filled = body;
    for (const [mark, what = '', table = '', key = ''] of marks) {
      const value =
        what === 'me'
          ? me
          : what === 'seen'
            ? await seen(table, key)
            : what === 'next'
              ? cursors.get(table)
              : what === 'total'
                ? await totalOf(body)
                : what === 'refresh'
                  ? lane.refresh
                  : purse[what as keyof Purse];
      filled = filled.replace(mark, () => JSON.stringify(value ?? null));
    }
    return filled;
  }

  function learn({ target }: RawRequest, { status, body }: RawAnswer, lane: Lane, purse: Purse): void {
    if (status >= 300 || !body.startsWith('{')) return;
    const said = JSON.parse(body) as Record<string, unknown>;
    const request = /^\/rest\/v1\/rpc\/(\w+)/.exec(target)?.[1];
    if (request && said.next) cursors.set(request, said.next);
    if (said.quote_id) Object.assign(purse, { quote: said.quote_id, amount: said.total });
    else if (target === '/functions/v1/createOrder') purse.order = said.id;
    else if (said.razorpay_signature)
      Object.assign(purse, { payment: said.razorpay_payment_id, signature: said.razorpay_signature });
    else if (said.refresh_token) lane.refresh = String(said.refresh_token);
  }

  return {
    async send(laneNumber, { as = 'visitor', ...request }) {
      const lane = lanes[laneNumber] as Lane;
      const turn = lane.sent++ % customersPerLane;
      const customer = lane.customers[turn] as Buyer;
      const purse = lane.purses[turn] as Purse;
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
        headers: { ...headersOf[as], ...request.headers },
        ...(typeof body === 'string' ? { body: await filledIn(body, me, lane, purse) } : {}),
      };
      const answer = await rawRequest(shop.url, sent);
      learn(sent, answer, lane, purse);
      return { request: sent, answer };
    },
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
