import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PublicConfig } from '#app/shop-context.ts';
import { signOut } from './session-work.ts';

const stored = new Map<string, string>();
const tabStored = new Map<string, string>();
beforeEach(() => {
  vi.useFakeTimers();
  stored.set('mithaas-session', '{"access_token":"a"}');
  stored.set('mithaas-session-user', '{}');
  stored.set('mithaas-cart-products', '[]');
  stored.set('mithaas-group-draft', '{"rows":[]}');
  tabStored.set('mithaas-parcel', '{"gift":{"note":"Happy Diwali"}}');
  vi.stubGlobal('window', {
    localStorage: { removeItem: (key: string) => stored.delete(key) },
    sessionStorage: { removeItem: (key: string) => tabStored.delete(key) },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['the code of supabase-js does not come', () => Promise.reject(new Error('Failed to fetch'))],
  ['Auth does not respond', async () => ({ auth: { signOut: () => new Promise(() => {}) } })],
  ['Auth refuses', async () => ({ auth: { signOut: () => Promise.reject(new Error('refused')) } })],
])(
  'logging out removes the session, the note of a gift and the recipients of a group from this device, also where %s',
  async (_why, connect) => {
    const done = signOut({} as PublicConfig, connect as never);
    await vi.advanceTimersByTimeAsync(6_000);
    await done;
    expect([...stored.keys()]).toEqual(['mithaas-cart-products']);
    expect([...tabStored.keys()]).toEqual([]);
  },
);
