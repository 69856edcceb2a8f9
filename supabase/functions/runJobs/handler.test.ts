import { expect, test } from 'vitest';
import type { FunctionContext } from '../_shared/context.ts';
import { runJobs } from './handler.ts';

const secret = 'a secret of the jobs';

function ask(headers: Record<string, string>, jobsSecret: string | null = secret, method = 'POST') {
  const called: string[] = [];
  const context: FunctionContext = {
    db: {
      async rpc(name) {
        called.push(name);
        if (name === 'keep_figures') return false as never;
        return { lapsed: 0, checkouts: [], refunds: [], outbox: [] } as never;
      },
    },
    payments: null,
    mailer: null,
    siteUrl: 'http://localhost',
    customer: null,
    jobsSecret,
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
    expect(await ask(headers as never)).toEqual({ status: 200, called: ['claim_jobs', 'sweep', 'keep_figures'] });
  },
);

test.each([{}, { authorization: 'Bearer' }, { authorization: `Bearer ${secret}x` }, { 'x-jobs-secret': '' }])(
  'who does not has nothing done: %j',
  async (headers) => {
    expect(await ask(headers as never)).toEqual({ status: 401, called: [] });
  },
);

test('without a secret nobody may ask, not even with an empty one', async () => {
  for (const told of ['', 'null']) expect((await ask({ 'x-jobs-secret': told }, null)).status).toBe(401);
});

test('jobs are posted', async () => {
  expect((await ask({ 'x-jobs-secret': secret }, secret, 'GET')).status).toBe(405);
});
