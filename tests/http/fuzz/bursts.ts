// Many copies of one hostile request at the same moment: what one of them would survive may take every connection.
import { type RawRequest, rawRequest } from '../raw-request.ts';

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

/** Every request is answered, and none of them with a failure of ours. */
export async function sendBursts(shopUrl: string, apikey: string): Promise<void> {
  for (const request of requests) {
    const sent = { ...request, headers: { apikey, ...request.headers } };
    const answers = await Promise.all(Array.from({ length: copies }, () => rawRequest(shopUrl, sent)));
    const failed = answers.filter(({ status }) => status === 0 || status >= 500);
    if (failed.length > 0) throw new Error(`${request.target.slice(0, 80)} → ${failed[0]?.status} ${failed[0]?.body}`);
  }
}
