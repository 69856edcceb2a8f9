// Requests for the functions, every one of the folder: what they expect, and nearly that.
import { createHmac } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { datasets } from '../../../supabase/functions/exportCsv/datasets.ts';
import type { Asker, BadCase } from '../bad-input-cases.ts';
import { badAddressPart, badHeaders, bodyOf, inHundred, jsonText, mostlyRight } from './bad-values.ts';
import { type LikelyValues, pincode } from './likely-values.ts';
import type { Targets } from './targets.ts';

export const jobsSecret = 'secret-of-the-jobs-in-tests';

const customers: Arbitrary<Asker> = inHundred<Asker>(8, fc.constant('visitor'), fc.constant('customer'));
const administrators: Arbitrary<Asker> = inHundred<Asker>(
  10,
  fc.constantFrom('visitor', 'customer'),
  fc.constant('administrator'),
);
const buying = ['getShippingPrice', 'createOrder', 'placeOrder'];
const json = { 'Content-Type': 'application/json' };

export function functionRequests(
  { functions }: Targets,
  likely: LikelyValues,
  webhookSecret: string,
): Arbitrary<BadCase> {
  const known = knownFunctions(likely, webhookSecret);
  const unknown = functions.filter((name) => !known[name]);
  if (unknown.length > 0) throw new Error(`say in function-requests.ts what ${unknown.join(', ')} expects`);
  // An order takes four requests in a row, so these come more often.
  const often = functions.flatMap((name) => Array<string>(buying.includes(name) ? 2 : 1).fill(name));
  return inHundred(
    10,
    nonsense(functions),
    fc.constantFrom(...often).chain((name) => known[name] as Arbitrary<BadCase>),
  );
}

const post = (name: string, body: Arbitrary<unknown>, as: Arbitrary<Asker> = customers): Arbitrary<BadCase> =>
  fc.tuple(bodyOf(mostlyRight(body)), as).map(([text, asker]) => ({
    method: 'POST',
    target: `/functions/v1/${name}`,
    headers: json,
    body: text,
    as: asker,
  }));

const get = (name: string, query: Arbitrary<string>, as: Arbitrary<Asker> = customers): Arbitrary<BadCase> =>
  fc.tuple(query, as).map(([text, asker]) => ({ target: `/functions/v1/${name}?${text}`, as: asker }));

function knownFunctions(likely: LikelyValues, webhookSecret: string): Record<string, Arbitrary<BadCase>> {
  const productId = likely.rowOf('Products').map((row) => row.Id);
  const orderId = likely.of('order_id', 'uuid');
  const line = fc.record({
    productId: fc.oneof(productId, productId.map(String)),
    quantity: inHundred(10, fc.integer({ min: 0, max: 101 }), fc.integer({ min: 1, max: 3 })),
    size: fc.constantFrom(500, 1000, '500', '1000'),
  });
  const quote = fc.record(
    {
      orders: fc.array(line, { minLength: 1, maxLength: 3 }),
      delivery: fc.record({ pincode: inHundred<unknown>(20, pincode, fc.constantFrom('400001', 400001)) }),
      source: fc.constantFrom('cart', 'direct'),
      fulfilment: inHundred(10, fc.constant('pickup'), fc.constant('delivery')),
    },
    { requiredKeys: ['orders', 'delivery'] },
  );
  const text = fc.constantFrom('Kamala', '12', 'Mumbai', 'Maharashtra', '9876543210', '', '=1+1', 'शुभ 🪔');
  const recipient = fc.record({
    name: text,
    phone: text,
    building_no: text,
    street: text,
    city: text,
    state: text,
    pincode: inHundred<unknown>(20, pincode, fc.constant('400001')),
    delivery_on: fc.constantFrom(null, '2026-12-01', '2020-01-01'),
    note: text,
    email: fc.constantFrom(null, 'nani@example.com', 'x'),
    boxes: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  const group = {
    recipients: fc.array(recipient, { minLength: 1, maxLength: 4 }),
    card: fc.record({ motif: fc.constantFrom('diwali', 'holi', 'x'), sender_name: text }),
  };
  const filter = fc.constantFrom(
    '{}',
    '{"search":"a"}',
    '{"year":2026}',
    '{"from":"2026-11-01"}',
    '{"status":["Pending"]}',
    '{"to":"x"}',
  );
  return {
    getShippingPrice: post('getShippingPrice', quote),
    createOrder: post(
      'createOrder',
      fc.record({ amount: fc.constant('@amount'), currency: fc.constant('INR'), quote_id: fc.constant('@quote') }),
    ),
    quoteGroup: post('quoteGroup', fc.record(group)),
    createGroupOrder: post(
      'createGroupOrder',
      fc.record({ ...group, key: fc.constantFrom('0'.repeat(32), '@quote', 'd41d8cd98f00b204e9800998ecf8427e') }),
    ),
    placeOrder: post(
      'placeOrder',
      fc.record({
        provider_order_id: fc.constant('@order'),
        payment_id: fc.constant('@payment'),
        signature: fc.constant('@signature'),
      }),
    ),
    notify: fc.oneof(
      get(
        'notify',
        inHundred(20, badAddressPart, productId.map(String)).map((id) => `product_id=${id}`),
      ),
      fc
        .tuple(fc.constantFrom('POST', 'DELETE'), post('notify', fc.record({ product_id: productId })))
        .map(([method, request]) => ({ ...request, method })),
    ),
    exportCsv: get(
      'exportCsv',
      fc
        .tuple(
          inHundred(10, badAddressPart, fc.constantFrom(...Object.keys(datasets))),
          inHundred(20, badAddressPart, filter.map(encodeURIComponent)),
        )
        .map(([what, chosen]) => `what=${what}&filter=${chosen}`),
      administrators,
    ),
    claim: fc.oneof(
      get(
        'claim',
        inHundred(
          20,
          badAddressPart,
          orderId.map((id) => `order=${id}`),
        ),
      ),
      get(
        'claim',
        fc.uuid().map((id) => `photo=${id}`),
      ),
      post(
        'claim',
        fc.record({
          do: fc.constant('open'),
          order: orderId,
          items: fc.array(
            fc.record({
              order_item_id: fc.integer({ min: 1, max: 5000 }),
              quantity: fc.integer({ min: 0, max: 26 }),
              problem: fc.constantFrom('damaged', 'not-delivered', 'stale'),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          words: text,
          entry: fc.uuid(),
        }),
      ),
      post('claim', fc.record({ do: fc.constant('answer'), claim: fc.uuid(), words: text, entry: fc.uuid() })),
    ),
    myData: get(
      'myData',
      inHundred(20, badAddressPart, fc.constantFrom('orders,0', 'documents,1,2026,1', 'account', 'orders,-1')).map(
        (place) => `after=${place}`,
      ),
    ),
    invoice: get(
      'invoice',
      fc.oneof(
        orderId.map((id) => `order=${id}`),
        fc.array(orderId, { minLength: 1, maxLength: 3 }).map((ids) => `orders=${ids.join(',')}`),
        inHundred(3, fc.constant('month=2026-10'), fc.constantFrom('month=2026-13', 'month=2999-01', 'month=')),
        badAddressPart.map((bad) => `order=${bad}`),
      ),
      administrators,
    ),
    paymentWebhook: fc
      .tuple(
        mostlyRight(
          fc.record({
            entity: fc.constant('event'),
            event: fc.constantFrom('payment.captured', 'payment.failed', 'refund.processed', 'order.paid', 'nope'),
            payload: fc.record({
              payment: fc.record({
                entity: fc.record({
                  id: fc.constantFrom('pay_none', 'pay_demo1'),
                  order_id: fc.constantFrom('order_none', 'order_x'),
                }),
              }),
            }),
          }),
        ).map(jsonText),
        inHundred(15, fc.constant(false), fc.constant(true)),
        fc.uuid({ version: 4 }),
      )
      .map(([body, isSigned, id]) => ({
        method: 'POST',
        target: '/functions/v1/paymentWebhook',
        headers: {
          ...json,
          'x-razorpay-event-id': id,
          'x-razorpay-signature': isSigned ? createHmac('sha256', webhookSecret).update(body).digest('hex') : 'nope',
        },
        body,
      })),
    runJobs: fc
      .tuple(fc.constantFrom('GET', 'POST'), inHundred(30, fc.constantFrom('', 'nope', 'é'), fc.constant(jobsSecret)))
      .map(([method, secret]) => ({
        method,
        target: '/functions/v1/runJobs',
        headers: { 'x-jobs-secret': secret },
        body: '',
      })),
  };
}

function nonsense(functions: string[]): Arbitrary<BadCase> {
  return fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'),
      fc.constantFrom(...functions, 'nope', '_shared', '__proto__'),
      inHundred(40, badAddressPart, fc.constant('')),
      badHeaders,
      bodyOf(fc.jsonValue()),
      fc.constantFrom<Asker>('visitor', 'customer', 'administrator'),
    )
    .map(([method, name, path, headers, body, as]) => ({
      method,
      target: `/functions/v1/${name}${path && `/${path}`}`,
      headers,
      as,
      ...(['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ? {} : { body }),
    }));
}
