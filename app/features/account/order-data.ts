import type { ShopClient } from '#app/backend/client.ts';
import { withDocuments } from './order-documents.ts';
import { withGifts } from './order-gifts.ts';
import { withGroups } from './order-groups.ts';
import {
  type EventRow,
  type History,
  type OrderRow,
  type PastOrder,
  pastOrdersFrom,
  wholeOrders,
} from './order-history.ts';
import { type Refund, type RefundRow, refundsFrom } from './refunds.ts';

const mostOrders = 50;
const mostRows = 500;
/** So many my_refunds() returns at once. */
const refundsInPage = 200;
/** Far more than fifty orders go through; the newest count. */
const mostEvents = 1000;
const orderColumns =
  'order_id, number, total_amount, sub_total, tax, shipping_charge, shipping_tax, status, payment_status, fulfilment, delivery_by, deliver_on, missed_day, courier, tracking_number, tracking_url, cancel_reason, created_at, product_id, product_name, product_image, quantity, size, has_size, unit_price, group_id, group_place, box_id, contents, offers';
const eventColumns = 'id, order_id, to_status, actor_role, public_note, created_at, undoes';

/** Where the next page begins: the time of the oldest order read, as the database wrote it. */
export type Cursor = string | null;
export type Page = {
  orders: PastOrder[];
  hasOlder: boolean;
  cursor: Cursor;
  /** The id of the newest event among them; 0 without any. */
  newestEvent: number;
};

/** The newest pages of the customer's history. Throws when they cannot be read. */
export async function loadHistory(
  client: ShopClient,
  userId: string,
  { pages, linkedOrder }: { pages: number; linkedOrder: string | null },
): Promise<History & Page> {
  const [page, refunds] = await Promise.all([loadPages(client, userId, pages), loadRefunds(client)]);
  const isLinkElsewhere = linkedOrder !== null && !page.orders.some(({ id }) => id === linkedOrder);
  const [linked, count] = await Promise.all([
    isLinkElsewhere ? loadOrder(client, userId, linkedOrder) : { orders: [] },
    page.hasOlder ? countOrders(client, userId) : page.orders.length,
  ]);
  const known = new Set(page.orders.map(({ id }) => id));
  const orders = [...page.orders, ...linked.orders.filter(({ id }) => !known.has(id))];
  return { ...page, orders, refunds, count, linkedEntry: linked.orders[0]?.id ?? null };
}

/** The orders placed before `cursor`, and those of that very moment once more. */
export async function loadPage(client: ShopClient, userId: string, cursor: Cursor): Promise<Page> {
  let query = client.from('order_details_view').select(orderColumns).eq('user_id', userId);
  // Of a group only the first recipient: the entry reads the others when it is opened.
  query = query.lte('group_place', 1);
  if (cursor !== null) query = query.lte('created_at', cursor);
  const { data, error } = await query
    .order('created_at', { ascending: false })
    .order('order_id')
    .order('product_name')
    .order('size')
    .limit(mostRows);
  if (error) throw error;
  const { rows, hasOlder } = wholeOrders(data, { mostRows, mostOrders });
  return { ...(await withDetails(client, rows)), hasOlder, cursor: rows.at(-1)?.created_at ?? cursor };
}

async function loadPages(client: ShopClient, userId: string, pages: number): Promise<Page> {
  let all = await loadPage(client, userId, null);
  for (let read = 1; read < pages && all.hasOlder; read += 1)
    all = withOlder(all, await loadPage(client, userId, all.cursor));
  return all;
}

/** The later page put under the earlier one; an order that is on both stands once, in its place. */
export function withOlder<T extends Page>(newer: T, older: Page): T {
  const later = new Set(older.orders.map(({ id }) => id));
  const orders = [...newer.orders.filter(({ id }) => !later.has(id)), ...older.orders];
  return { ...newer, ...older, orders, newestEvent: Math.max(newer.newestEvent, older.newestEvent) };
}

type Detailed = Pick<Page, 'orders' | 'newestEvent'>;

async function loadOrder(client: ShopClient, userId: string, orderId: string): Promise<Detailed> {
  const { data, error } = await client
    .from('order_details_view')
    .select(orderColumns)
    .eq('user_id', userId)
    .eq('order_id', orderId);
  if (error) throw error;
  const [first] = data;
  if (!first?.group_id || first.group_place === 1) return withDetails(client, data);
  const group = await client
    .from('order_details_view')
    .select(orderColumns)
    .eq('user_id', userId)
    .eq('group_id', first.group_id)
    .eq('group_place', 1);
  if (group.error) throw group.error;
  return withDetails(client, group.data);
}

async function withDetails(client: ShopClient, rows: readonly OrderRow[]): Promise<Detailed> {
  const [events, sold, documents, gifts, groups] = await Promise.all([
    loadEvents(client, rows),
    loadSold(client, rows),
    loadDocuments(client, rows),
    loadGifts(client, rows),
    loadGroups(client, rows),
  ]);
  return {
    orders: withGroups(withGifts(withDocuments(pastOrdersFrom(rows, events, sold), documents), gifts), groups),
    newestEvent: Math.max(0, ...events.map(({ id }) => id)),
  };
}

const idsOf = (rows: readonly OrderRow[]) => [...new Set(rows.flatMap(({ order_id }) => order_id ?? []))];

async function loadEvents(client: ShopClient, rows: readonly OrderRow[]): Promise<EventRow[]> {
  const ids = idsOf(rows);
  if (ids.length === 0) return [];
  const { data, error } = await client
    .from('order_events')
    .select(eventColumns)
    .in('order_id', ids)
    .order('id', { ascending: false })
    .limit(mostEvents);
  if (error) throw error;
  return data.reverse();
}

/** Whether an event is newer than those that were read: one row instead of everything again. */
export async function hasNewerEvent(client: ShopClient, userId: string, newestEvent: number): Promise<boolean> {
  const { data, error } = await client
    .from('order_events')
    .select('id')
    .eq('user_id', userId)
    .gt('id', newestEvent)
    .limit(1);
  return error !== null || data.length > 0;
}

async function loadDocuments(client: ShopClient, rows: readonly OrderRow[]): Promise<unknown> {
  const ids = idsOf(rows);
  if (ids.length === 0) return [];
  const { data, error } = await client.rpc('my_documents', { order_ids: ids });
  if (error) throw error;
  return data;
}

async function loadGifts(client: ShopClient, rows: readonly OrderRow[]): Promise<unknown> {
  const ids = idsOf(rows);
  if (ids.length === 0) return [];
  const { data, error } = await client.rpc('my_gifts', { order_ids: ids });
  if (error) throw error;
  return data;
}

async function loadGroups(client: ShopClient, rows: readonly OrderRow[]): Promise<unknown> {
  const ids = [...new Set(rows.flatMap(({ group_id }) => group_id ?? []))];
  if (ids.length === 0) return [];
  const { data, error } = await client.rpc('my_groups', { group_ids: ids });
  if (error) throw error;
  return data;
}

/** Which of the products can still be looked at; when that cannot be read, the history is shown without links. */
async function loadSold(client: ShopClient, rows: readonly OrderRow[]): Promise<Set<number>> {
  const ids = [...new Set(rows.flatMap(({ product_id }) => product_id ?? []))];
  if (ids.length === 0) return new Set();
  const { data } = await client.from('Products').select('Id').in('Id', ids);
  return new Set(data?.map(({ Id }) => Id));
}

/** All of them: a page that is full has another after it. */
async function loadRefunds(client: ShopClient): Promise<Refund[]> {
  const rows: RefundRow[] = [];
  let page: RefundRow[] = [];
  do {
    const last = page.at(-1);
    const { data, error } = await client.rpc(
      'my_refunds',
      last ? { before: last.attempted_at, before_id: last.id } : undefined,
    );
    if (error) throw error;
    page = data;
    rows.push(...page);
  } while (page.length === refundsInPage);
  return refundsFrom(rows);
}

async function countOrders(client: ShopClient, userId: string): Promise<number> {
  const { count, error } = await client
    .from('orders')
    .select('id', { count: 'exact', head: true })
    .eq('user_id', userId)
    .lte('group_place', 1);
  if (error) throw error;
  return count ?? 0;
}

export type CancelOutcome = 'canceled' | 'too-late' | 'failed';

/** The one thing a customer may change of an order; the database decides whether it still can be. */
export async function cancelOrder(client: ShopClient, orderId: string): Promise<CancelOutcome> {
  const { data, error, status } = await client
    .from('orders')
    .update({ status: 'canceled' })
    .eq('id', orderId)
    .select('id');
  if (error) return status === 409 ? 'too-late' : 'failed';
  return data.length > 0 ? 'canceled' : 'failed';
}
