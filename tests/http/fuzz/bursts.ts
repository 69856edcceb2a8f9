// Many copies of one hostile request at the same moment: what one of them would survive may take every connection. And
// floods of many more, which the shop has to refuse in part.
import { type RawAnswer, type RawRequest, rawRequest } from '../raw-request.ts';

const copies = 24;
const json = { 'Content-Type': 'application/json' };
const numbers = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => index));
const conditions = (count: number) => Array.from({ length: count }, (_, index) => `Id.eq.${index}`).join(',');

const requests: RawRequest[] = [
  { method: 'POST', target: '/rest/v1/rpc/search_products', headers: json, body: numbers },
  { method: 'POST', target: '/rest/v1/rpc/search_products', headers: json, body: `{"words":${numbers}}` },
  { method: 'POST', target: '/rest/v1/comments?columns=rating', headers: json, body: '"text"' },
  { target: '/rest/v1/Products?select=Id&limit=1&__proto__=eq.1' },
  { target: '/rest/v1/Products?select=Id&"__proto__"=eq.1' },
  { target: '/rest/v1/Products?select=Id,comments(id)&comments.__proto__=eq.1' },
  { method: 'HEAD', target: '/rest/v1/rpc/search_products?__proto__=eq.1' },
  { target: `/rest/v1/Products?or=(${conditions(5_000)})` },
  { target: '/rest/v1/Products?select=*,comments(*,Products(*,comments(*)))' },
  {
    method: 'POST',
    target: '/auth/v1/token?grant_type=refresh_token',
    headers: json,
    body: '{"refresh_token":"none"}',
  },
  { target: '/shop?q=%E0%A4%B2%E0%A4%A1%E0%A5%8D%E0%A4%A1%E0%A5%82%20nothing' },
  { method: 'POST', target: '/functions/v1/getShippingPrice', headers: json, body: `{"orders":${numbers}}` },
];

/** More than one address may have waiting (server/host/admission/lanes.ts), fewer than the connections it may open. */
const floods: { copies: number; target(n: number): string }[] = [
  { copies: 250, target: (n) => `/shop?q=flood${n}` },
  { copies: 450, target: () => '/rest/v1/Products?select=*,comments(*)&limit=20' },
  {
    copies: 250,
    target: () => `/auth/v1/authorize?provider=github&code_challenge=${'a'.repeat(43)}&code_challenge_method=s256`,
  },
];
export const floodSize = floods.reduce((sum, { copies: count }) => sum + count, 0);

/** Every request is answered, and none of them with a failure of ours. */
export async function sendBursts(shopUrl: string, apikey: string): Promise<void> {
  for (const [n, request] of requests.entries()) {
    const sent = { ...request, from: `127.5.0.${n + 1}`, headers: { apikey, ...request.headers } };
    expectNoFailure(request, await Promise.all(Array.from({ length: copies }, () => rawRequest(shopUrl, sent))));
  }
}

/** Each flood from one address, all at once. Returns how many requests were refused, at once or at their deadline. */
export async function sendFloods(shopUrl: string, apikey: string): Promise<number> {
  const limited = floods.map(async ({ copies: count, target }, n) => {
    const one = (copy: number) => ({ target: target(copy), from: `127.6.0.${n + 1}`, headers: { apikey } });
    const answers = await Promise.all(Array.from({ length: count }, (_, copy) => rawRequest(shopUrl, one(copy))));
    const served = answers.filter((answer) => !isRefusal(answer));
    expectNoFailure(one(0), served);
    return answers.length - served.length;
  });
  return (await Promise.all(limited)).reduce((sum, count) => sum + count, 0);
}

/** On a busy machine some of a flood are still waiting at their deadline, and are never begun. */
function isRefusal({ status, body }: RawAnswer): boolean {
  return status === 429 || (status === 503 && body.includes('"too-slow"'));
}

function expectNoFailure({ target }: RawRequest, answers: readonly RawAnswer[]): void {
  const failed = answers.filter(({ status }) => status === 0 || status >= 500);
  if (failed.length > 0) throw new Error(`${target.slice(0, 80)} → ${failed[0]?.status} ${failed[0]?.body}`);
}
