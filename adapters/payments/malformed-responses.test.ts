import { expect, test } from 'vitest';
import { randomNumbers } from '../../tests/support/random.ts';
import { type PaymentProvider, ProviderError } from './provider.ts';
import { createRazorpay } from './razorpay.ts';

const random = randomNumbers(20261116);
const below = (limit: number) => Math.floor(random() * limit);
const oneOf = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;

const names = ['id', 'entity', 'items', 'amount', 'currency', 'receipt', 'status', 'order_id', 'payment_id', 'fee'];
const moreNames = ['created_at', 'amount_refunded', 'method', 'error', 'code', 'description', '__proto__', 'toString'];
const scalars = ['INR', 'paid', 'captured', 'processed', 'pay_1', 'order_1', 'rfnd_1', 'r', '', 500, 0, -1, 1.5, 1e308];
const oddScalars = [null, true, Number.MAX_SAFE_INTEGER + 1, '\u0000', '𝕏', 'does not exist'];

function nonsense(depth: number): unknown {
  if (depth === 0 || random() < 0.3) return oneOf([...scalars, ...oddScalars]);
  if (random() < 0.3) return Array.from({ length: below(4) }, () => nonsense(depth - 1));
  const entries = Array.from({ length: below(10) }, () => [oneOf([...names, ...moreNames]), nonsense(depth - 1)]);
  return Object.fromEntries(entries);
}

/** Almost valid: a documented response with one field replaced. */
function nearlyRight(): unknown {
  const things = [
    { id: 'order_1', amount: 500, currency: 'INR', receipt: 'r', status: 'created', created_at: 1 },
    { id: 'pay_1', order_id: 'order_1', amount: 500, currency: 'INR', status: 'captured', amount_refunded: 0 },
    { id: 'rfnd_1', payment_id: 'pay_1', amount: 500, status: 'processed' },
  ];
  const thing: Record<string, unknown> = { ...oneOf(things) };
  thing[oneOf(Object.keys(thing))] = nonsense(1);
  return random() < 0.4 ? { entity: 'collection', count: 1, items: [thing] } : thing;
}

function body(): BodyInit {
  if (random() < 0.2) return Uint8Array.from({ length: below(200) }, () => below(256));
  if (random() < 0.1) return '['.repeat(100_000);
  const text = JSON.stringify(random() < 0.6 ? nearlyRight() : nonsense(4));
  return random() < 0.1 ? text.slice(0, below(text.length)) : text;
}

async function response(): Promise<Response> {
  if (random() < 0.05) throw oneOf([new TypeError('fetch failed'), new DOMException('gone', 'AbortError'), 'text']);
  return new Response(body(), { status: oneOf([200, 200, 200, 201, 400, 401, 404, 409, 429, 500, 502]) });
}

const questions: ((provider: PaymentProvider) => Promise<unknown>)[] = [
  (provider) => provider.orderFor('r', 500),
  (provider) => provider.orderFor('r', 500, { mayExist: false }),
  (provider) => provider.payment('pay_1'),
  (provider) => provider.paymentsOf('order_1'),
  (provider) => provider.capture('pay_1', 500),
  (provider) =>
    provider.refund({ paymentId: 'pay_1', amountPaise: 500, idempotencyKey: 'key-0123456789', reason: 'x' }),
  (provider) => provider.refundById('rfnd_1'),
];

test('whatever the provider responds, the adapter returns a result or throws a ProviderError', async () => {
  const provider = createRazorpay({ keyId: 'k', keySecret: 's', webhookSecret: 'w', fetch: response });
  let answered = 0;
  const rounds = process.env.SOAK ? 5000 : 500;
  for (let round = 0; round < rounds; round += 1)
    for (const question of questions) {
      const [outcome] = await Promise.allSettled([question(provider)]);
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ProviderError);
      else {
        answered += 1;
        expectWholePaise(outcome.value);
      }
    }
  expect(answered).toBeGreaterThan(rounds / 10);
});

function expectWholePaise(result: unknown): void {
  for (const [name, value] of Object.entries((Array.isArray(result) ? result[0] : result) ?? {}))
    if (name.endsWith('Paise') && value !== null) expect(value).toSatisfy(Number.isSafeInteger);
}
