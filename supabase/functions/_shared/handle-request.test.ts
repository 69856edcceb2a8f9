import { expect, test } from 'vitest';
import { customerFromClaims, type FunctionHost, handleRequest } from './handle-request.ts';

const userId = 'c0ffee00-0000-4000-a000-000000000001';
const session = 'c0ffee00-0000-4000-a000-000000000002';

/** How a function responds to the bearer of a valid token of this session, and what it asked the database. */
async function responseFor(claims: Record<string, unknown>, isActive: boolean | null) {
  const calls: unknown[] = [];
  let isHandled = false;
  const host = {
    siteUrl: 'https://sweets.example.com',
    findCustomer: async () => customerFromClaims(userId, claims),
    context: {
      db: {
        rpc: async (name: string, args: unknown) => {
          calls.push([name, args]);
          return isActive;
        },
      },
    },
    addressHash: null,
    isUnavailable: () => false,
    report() {},
  } as unknown as FunctionHost;
  const request = new Request('https://abc.supabase.co/createOrder', { headers: { authorization: 'Bearer a.b.c' } });
  const { status } = await handleRequest(
    request,
    async () => {
      isHandled = true;
      return new Response();
    },
    host,
  );
  return { status, isHandled, calls };
}

test('a function does nothing for a token whose session has ended, wherever it runs', async () => {
  const lookup = ['is_session_active', { session_id: session, user_id: userId }];
  expect(await responseFor({ session_id: session }, true)).toEqual({ status: 200, isHandled: true, calls: [lookup] });
  expect(await responseFor({ session_id: session }, false)).toEqual({ status: 401, isHandled: false, calls: [lookup] });
  // Not what the contract says: access is refused.
  expect(await responseFor({ session_id: session }, null)).toEqual({ status: 500, isHandled: false, calls: [lookup] });
  expect(await responseFor({}, false)).toEqual({ status: 200, isHandled: true, calls: [] });
});
