import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#database-types';

export type ShopClient = SupabaseClient<Database>;
export type PublicEnvironment = { url: string; key: string };

export async function publicEnvironment(shopUrl: string): Promise<PublicEnvironment> {
  const response = await fetch(`${shopUrl}/env.json`);
  return (await response.json()) as PublicEnvironment;
}

/** A browser as supabase-js sees one, without the browser: its storage is a Map. */
export function newClient({ url, key }: PublicEnvironment): ShopClient {
  const stored = new Map<string, string>();
  return createClient<Database>(url, key, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      persistSession: true,
      detectSessionInUrl: false,
      storage: {
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, value) => void stored.set(name, value),
        removeItem: (name) => void stored.delete(name),
      },
    },
  });
}

/** Whom to be at the demo sign-in: one of its buttons, or the form. */
export type DemoPerson = { account: 'Priya Sharma' | 'Rahul Verma' | 'Asha Rao' } | { name: string; email: string };

const accountIds = { 'Priya Sharma': '1001', 'Rahul Verma': '1002', 'Asha Rao': '1003' };

/** Signs in by the real social flow, hop by hop, and gives back a client with the session. */
export async function signInAs(shopUrl: string, person: DemoPerson): Promise<ShopClient> {
  const environment = await publicEnvironment(shopUrl);
  const client = newClient(environment);
  const { data, error } = await client.auth.signInWithOAuth({
    provider: 'github',
    options: { redirectTo: `${shopUrl}/`, skipBrowserRedirect: true },
  });
  if (error) throw error;
  const page = await hop(data.url);
  const fields = new URLSearchParams(new URL(page).searchParams);
  if ('account' in person) fields.set('account', accountIds[person.account]);
  else {
    fields.set('name', person.name);
    fields.set('email', person.email);
  }
  const callback = await hop(page, { method: 'POST', body: fields });
  const back = new URL(await hop(callback));
  const code = back.searchParams.get('code');
  if (!code) throw new Error(`sign-in came back without a code: ${back.searchParams.get('error_description')}`);
  const session = await client.auth.exchangeCodeForSession(code);
  if (session.error) throw session.error;
  return client;
}

let strangers = 0;

/** A new customer, so that tests do not share a person's rows. */
export function newCustomer(shopUrl: string, name = 'Test Customer'): Promise<ShopClient> {
  strangers += 1;
  return signInAs(shopUrl, { name, email: `customer-${process.pid}-${Date.now()}-${strangers}@example.com` });
}

export async function userIdOf(client: ShopClient): Promise<string> {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error('there is no session');
  return data.session.user.id;
}

export async function tokenOf(client: ShopClient): Promise<string> {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error('there is no session');
  return data.session.access_token;
}

async function hop(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  if (!location) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${await response.text()}`);
  return new URL(location, url).href;
}
