import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FunctionContext } from '../_shared/context.ts';
import { runJobs } from './handler.ts';

const secret = 'a secret of the jobs';

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());
// Each test begins long after the one before: it is time to tidy up.
beforeEach(() => void vi.advanceTimersByTime(3_600_000));

function ask(
  headers: Record<string, string>,
  jobsSecret: string | null = secret,
  method = 'POST',
  lapsed = 0,
  jobsWorkForMs?: number,
) {
  const called: string[] = [];
  const context: FunctionContext = {
    db: {
      async rpc(name) {
        called.push(name);
        if (name === 'refresh_figures' || name === 'count_product_pairs') return false;
        if (name.startsWith('queue_')) return 0;
        vi.advanceTimersByTime(1000);
        return { lapsed, derived: 0, checkouts: [], refunds: [], outbox: [] };
      },
    },
    payments: null,
    mailer: null,
    messenger: null,
    siteUrl: 'http://localhost',
    customer: null,
    addressHash: null,
    jobsSecret,
    ...(jobsWorkForMs === undefined ? {} : { jobsWorkForMs }),
    now: () => new Date(0),
    report: () => {},
    wake: () => {},
  };
  return runJobs(new Request('http://localhost/', { method, headers }), context).then(({ status }) => ({
    status,
    called,
  }));
}

test.each([{ authorization: `Bearer ${secret}` }, { 'x-jobs-secret': secret }])(
  'who knows the secret has the jobs done: %j',
  async (headers) => {
    expect(await ask(headers as never)).toEqual({
      status: 200,
      called: [
        'correct_due_times',
        'claim_jobs',
        'sweep',
        'sweep_sign_ins',
        'delete_old_ip_hashes',
        'queue_gift_reminders',
        'queue_refund_delays',
        'queue_cart_reminders',
        'refresh_popular_products',
        'count_product_pairs',
        'refresh_figures',
      ],
    });
  },
);

test.each([{}, { authorization: 'Bearer' }, { authorization: `Bearer ${secret}x` }, { 'x-jobs-secret': '' }])(
  'who does not has nothing done: %j',
  async (headers) => {
    expect(await ask(headers as never)).toEqual({ status: 401, called: [] });
  },
);

test('without a secret every call is refused, also one with an empty secret', async () => {
  for (const told of ['', 'null']) expect((await ask({ 'x-jobs-secret': told }, null)).status).toBe(401);
});

test('a monitor who knows the secret is told how the business stands, and nothing is done', async () => {
  expect(await ask({ 'x-jobs-secret': secret }, secret, 'GET')).toEqual({
    status: 200,
    called: ['queue_metrics', 'count_orders'],
  });
  expect(await ask({ 'x-jobs-secret': 'wrong' }, secret, 'GET')).toEqual({ status: 401, called: [] });
});

test('anything but asking and doing is refused', async () => {
  expect((await ask({ 'x-jobs-secret': secret }, secret, 'PUT')).status).toBe(405);
});

test('it tidies up now and then, not whenever it is called', async () => {
  const called = async () => (await ask({ 'x-jobs-secret': secret })).called;
  expect(await called()).toContain('sweep');
  expect(await called()).toEqual(['claim_jobs']);
  vi.advanceTimersByTime(10 * 60_000);
  expect(await called()).toContain('sweep');
});

test('with more to do than there is time for it answers, and leaves the rest to the next call', async () => {
  const { called } = await ask({ 'x-jobs-secret': secret }, secret, 'POST', 20);
  expect(called.filter((name) => name === 'claim_jobs')).toHaveLength(15);
  const embedded = await ask({ 'x-jobs-secret': secret }, secret, 'POST', 20, 8_000);
  expect(embedded.called.filter((name) => name === 'claim_jobs')).toHaveLength(8);
});
