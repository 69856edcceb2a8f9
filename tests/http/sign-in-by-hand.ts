import { createHash, randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export type Fields = Record<string, string>;

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(40).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export function authorizeAddress(shopUrl: string, parameters: Fields = {}): string {
  const query = new URLSearchParams({ provider: 'github', redirect_to: `${shopUrl}/`, ...parameters });
  // Of the shop that all HTTP tests share the backend may be elsewhere.
  const backendUrl = shopUrl === inject('shopUrl') ? inject('backendUrl') : shopUrl;
  return `${backendUrl}/auth/v1/authorize?${query}`;
}

/** Goes through the demo sign-in hop by hop and stops with the code in hand; `callback` is the address it passed. */
export async function codeFor(shopUrl: string, person: Fields) {
  const { verifier, challenge } = newVerifier();
  const page = await next(authorizeAddress(shopUrl, { code_challenge: challenge, code_challenge_method: 's256' }));
  const fields = new URLSearchParams({ ...Object.fromEntries(new URL(page).searchParams), ...person });
  const callback = await next(page, { method: 'POST', body: fields });
  const back = new URL(await next(callback));
  return { page, callback, back, verifier, code: back.searchParams.get('code') ?? '' };
}

export function exchange(backendUrl: string, key: string, code: string, verifier: string): Promise<Response> {
  return fetch(`${backendUrl}/auth/v1/token?grant_type=pkce`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ auth_code: code, code_verifier: verifier }),
  });
}

/** Where a request is sent on to. */
export async function next(address: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(address, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  if (!location) throw new Error(`${new URL(address).pathname} answered ${response.status}: ${await response.text()}`);
  return new URL(location, address).href;
}

let people = 0;
export function newPerson(): { name: string; email: string } {
  people += 1;
  return { name: 'New Customer', email: `somebody-${process.pid}-${Date.now()}-${people}@example.com` };
}
