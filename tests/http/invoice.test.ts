import { unzipSync } from 'fflate';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { columnOf, readPdf } from '../support/read-pdf.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, type ShopClient, signInAs, tokenOf, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let sql: Sql;
let customer: ShopClient;
let administrator: ShopClient;
beforeAll(async () => {
  [sql, customer, administrator] = await Promise.all([
    connectToShop(inject('shopDataDir')),
    newCustomer(shopUrl, 'Invoice Customer'),
    signInAs(shopUrl, { account: 'Asha Rao' }),
  ]);
  await setAddress(customer);
});
afterAll(() => sql.end());

const ask = async (question: string, client: ShopClient | null, init: RequestInit = {}) =>
  fetch(`${backendUrl}/functions/v1/invoice?${question}`, {
    ...init,
    headers: client ? { authorization: `Bearer ${await tokenOf(client)}` } : {},
  });
const pdfOf = async (response: Response) => {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return readPdf(new Uint8Array(await response.arrayBuffer()));
};
/** The names of the files in each part of a download, as the console gets them one after the other. */
async function partsOf(question: string): Promise<string[][]> {
  const answer = await ask(question, administrator);
  const names = Object.keys(unzipSync(new Uint8Array(await answer.arrayBuffer())));
  const next = answer.headers.get('x-next');
  return [names, ...(next ? await partsOf(`${question.replace(/&after=.*/, '')}&after=${next}`) : [])];
}
const laddu = { productId: 9, quantity: 2, size: 500 } as const;

/** As the packing table does it: the administrator moves the order. */
async function moveTo(id: string, ...steps: string[]) {
  for (const status of steps) {
    const { error } = await administrator.from('orders').update({ status }).eq('id', id);
    expect(error).toBeNull();
  }
}

async function cancel(id: string) {
  const { data: order } = await administrator.from('orders').select('updated_at').eq('id', id).single();
  const { error } = await administrator.rpc('admin_cancel_order', {
    order_id: id,
    reason: 'asked',
    goods: 'stock',
    seen: order?.updated_at ?? null,
  });
  expect(error).toBeNull();
}

test('a customer gets a receipt, then the invoice, and after a refund the credit note', async () => {
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  const receipt = await pdfOf(await ask(`order=${id}`, customer));
  expect(receipt.text).toContain('This is not a tax invoice.');

  await moveTo(id, 'Confirmed', 'Preparing', 'Packed');
  const answer = await ask(`order=${id}`, customer);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="invoice-MTH-\d\d-\d\d-\d{5}\.pdf"$/,
  );
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  const [order] = await sql`select (total_amount * 100)::int as total from public.orders where id = ${id}`;
  expect(columnOf(await pdfOf(answer), 'Amount').foot).toBe(order?.total);

  await cancel(id);
  await sql`update private.outbox set run_after = now() where payload ->> 'refund_id' in (select id::text from private.refunds where order_id = ${id})`;
  const documents = async () =>
    (await customer.rpc('my_documents', { order_ids: [id] })).data as { kind: string; id: string }[];
  await expect
    .poll(async () => (await documents()).map(({ kind }) => kind), { timeout: 25_000 })
    .toEqual(['invoice', 'credit note']);
  const note = (await documents())[1]?.id;
  const credit = await pdfOf(await ask(`order=${id}&credit_note=${note}`, customer));
  expect(credit.text).toContain('Credit note');
  expect(columnOf(credit, 'Amount').foot).toBe(order?.total);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});

test('another customer’s document and an unknown one get the same response: not found', async () => {
  const [mine] = await sql<{ id: string }[]>`
    select o.id from public.orders o join private.invoices i on i.order_id = o.id where o.user_id is not null order by o.number limit 1`;
  const stranger = await newCustomer(shopUrl, 'Stranger');
  const unknown = '00000000-0000-4000-8000-000000000000';
  const bodies = new Set<string>();
  for (const question of [
    `order=${mine?.id}`,
    `order=${unknown}`,
    `order=${mine?.id}&credit_note=${unknown}`,
    'order=1',
    'order=',
    '',
    'order[]=x',
    `order=${mine?.id}&x=1`,
    `orders=${mine?.id}`,
    'orders=',
    `orders=${'x'.repeat(5000)}`,
    'month=2026-11',
    'month=2026-13',
    'month=\u0000',
    'month=2026-11&after=3,1,1',
    "month=2026-11&after=1,26,1'",
    `order=${mine?.id}'--`,
  ]) {
    const answer = await ask(question, stranger);
    expect([question, answer.status]).toEqual([question, 404]);
    bodies.add(await answer.text());
  }
  expect(bodies.size).toBe(1);
  expect((await ask(`order=${mine?.id}`, null)).status).toBe(401);
  expect((await ask(`order=${mine?.id}`, administrator, { method: 'POST' })).status).toBe(405);
  const { data } = await stranger.rpc('my_documents', { order_ids: [mine?.id ?? ''] });
  expect(data).toEqual([]);
  for (const name of ['read_document', 'read_documents', 'export_gst', 'export_documents'])
    expect((await stranger.rpc(name as never, {} as never)).error).not.toBeNull();
});

test('an administrator gets the invoices of chosen orders, and of a month part by part, as ZIP files', async () => {
  const rows = await sql<{ id: string; number: string; total: number }[]>`
    select o.id, i.number, i.total_paise::int as total from private.invoices i join public.orders o on o.id = i.order_id order by i.issued_at desc limit 3`;
  const answer = await ask(`orders=${rows.map(({ id }) => id).join(',')}`, administrator);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  for (const { number, total } of rows) {
    const file = files[`invoice-${number.replaceAll('/', '-')}.pdf`];
    expect(columnOf(await readPdf(file as Uint8Array), 'Amount').foot).toBe(total);
  }
  expect(answer.headers.get('x-left-out')).toBeNull();
  const waiting = await sql<{ id: string }[]>`
    select o.id from public.orders o where o.status in ('Pending', 'Confirmed', 'Preparing') limit 2`;
  const mixed = await ask(`orders=${[...rows.slice(0, 1), ...waiting].map(({ id }) => id).join(',')}`, administrator);
  expect([mixed.status, mixed.headers.get('x-left-out')]).toEqual([200, '2']);
  await mixed.arrayBuffer();
  const [month] = await sql<{ name: string; invoices: number; notes: number }[]>`
    select m.name, m.invoices, (select count(*)::int from private.credit_notes n
                                where to_char(n.issued_at at time zone 'Asia/Kolkata', 'YYYY-MM') = m.name) as notes
    from (select to_char(issued_at at time zone 'Asia/Kolkata', 'YYYY-MM') as name, count(*)::int as invoices
          from private.invoices group by 1 having count(*) > 50 order by 2 limit 1) m`;
  const parts = await partsOf(`month=${month?.name}`);
  const names = parts.flat();
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('invoice-'))).toHaveLength(month?.invoices ?? 0);
  expect(names.filter((name) => name.startsWith('credit-note-'))).toHaveLength(month?.notes ?? 0);
  // No more than a hosted function can draw for one answer, and no question more than it takes.
  expect(parts.map(({ length }) => length)).toEqual([
    ...parts.slice(1).map(() => 25),
    names.length - 25 * (parts.length - 1),
  ]);
  const none = await ask('month=2001-01', administrator);
  expect([none.status, (await none.json()).error.code]).toEqual([404, 'no-documents']);
  const [log] = await sql`select sum(times)::int as times from private.security_events
    where kind = 'documents-downloaded' and user_id = ${await userIdOf(administrator)}`;
  expect(log?.times, 'the security log says who took them').toBeGreaterThanOrEqual(parts.length + 1);
}, 120_000);

test('fifty orders packed over the Data API at the same time get fifty consecutive invoice numbers', async () => {
  const me = await userIdOf(customer);
  const ids = await sql<{ id: string }[]>`
    with placed as (
      insert into public.orders (user_id, status, source, sub_total, tax, shipping_charge, total_amount, delivery_name, delivery_phone, delivery_zip)
      select ${me}, 'Preparing', 'manual', 100, 5, 40, 145, 'Packed At Once', '9000000001', '400001' from generate_series(1, 50) returning id
    ), lines as (
      insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
      select id, 9, 'Besan Laddu', 1, 500, 100, 5, '2106', true from placed
    )
    select id from placed`;
  const answers = await Promise.all(
    ids.map(({ id }) => administrator.from('orders').update({ status: 'Packed' }).eq('id', id).select('id')),
  );
  expect(answers.filter(({ error, data }) => error || data.length !== 1)).toEqual([]);
  const serials = await sql<
    { serial: number }[]
  >`select serial from private.invoices where order_id = any (${ids.map(({ id }) => id)}) order by 1`;
  const first = serials[0]?.serial ?? 0;
  expect(serials.map(({ serial }) => serial - first)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect((await sql`select * from public.check_invariants()`).filter(({ invariant }) => invariant >= 9)).toEqual([]);
});
