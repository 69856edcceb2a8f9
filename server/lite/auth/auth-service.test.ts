import type { Sql } from 'postgres';
import { afterEach, expect, test, vi } from 'vitest';
import { waitingSignal, withinRequest } from '../../host/request-scope.ts';
import { createSemaphore } from '../../postgres/semaphore.ts';
import { createAuthService } from './auth-service.ts';

afterEach(() => void vi.useRealTimers());

type Parts = {
  library(request: Request, waitMs?: number): Promise<Response>;
  begin?(work: (transaction: Sql) => Promise<unknown>): Promise<unknown>;
  ask?(): Promise<unknown>;
};

const allowed = async () => [{ allowed: true }];

function serviceWith({ library, begin = (work) => work(allowed as unknown as Sql), ask = allowed }: Parts) {
  const logged: string[] = [];
  const serve = createAuthService({
    sql: Object.assign(ask, { begin }) as unknown as Sql,
    gate: { provider: 'google', returnOrigins: ['http://localhost'] },
    mayTry: async () => true,
    hasValidToken: async () => true,
    verifyToken: async () => null,
    library,
    securityLog: { record: async () => {} },
    log: ({ event }) => void logged.push(event),
  });
  const refresh = (signal = new AbortController().signal) =>
    withinRequest({ signal, responded() {}, onDeadline() {} }, () =>
      serve(
        new Request('http://localhost/auth/v1/token?grant_type=refresh_token', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"refresh_token":"t"}',
        }),
        { address: '192.0.2.1', userAgent: '' },
      ),
    );
  return { refresh, logged };
}
const newToken = async () => Response.json({ access_token: 'x' });

test('a refresh that two requests share goes on when the first of them leaves', async () => {
  const permits = createSemaphore(1);
  const releasePermit = await permits.acquire();
  let calls = 0;
  const { refresh } = serviceWith({
    async library() {
      calls += 1;
      (await permits.acquire({ signal: waitingSignal() }))();
      return newToken();
    },
  });
  const leaving = new AbortController();
  const both = [refresh(leaving.signal), refresh()];
  await vi.waitFor(() => expect(permits.waiting()).toBe(1));
  leaving.abort();
  releasePermit();
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  expect(calls).toBe(1);
});

test('a refresh that had to wait too long for its lock fails before the token is used', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let calls = 0;
  const { refresh } = serviceWith({
    async library() {
      calls += 1;
      return newToken();
    },
    begin(work) {
      vi.advanceTimersByTime(3_000);
      return work(allowed as unknown as Sql);
    },
  });
  expect((await refresh()).status).toBe(503);
  expect(calls).toBe(0);
});

test('a new token reaches its customer though the transaction that held the lock was lost', async () => {
  const waits: (number | undefined)[] = [];
  const { refresh, logged } = serviceWith({
    library(_request, waitMs) {
      waits.push(waitMs);
      return newToken();
    },
    async begin(work) {
      await work(allowed as unknown as Sql);
      throw Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
    },
  });
  expect((await refresh()).status).toBe(200);
  expect(logged).toContain('refresh-lock-lost');
  expect(waits).toEqual([2_000]);
});

test('a new token does not wait for a session that cannot be described', async () => {
  const { refresh, logged } = serviceWith({ library: newToken, ask: () => new Promise(() => {}) });
  expect((await refresh()).status).toBe(200);
  expect(logged).toEqual(['session-not-noted']);
});
