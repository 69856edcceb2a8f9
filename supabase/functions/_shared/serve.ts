import { createClient } from '@supabase/supabase-js';
import type { Customer, DatabasePort, FunctionContext, FunctionHandler } from './context.ts';
import { preflight, withCors } from './cors.ts';
import { problem } from './problem.ts';

type Environment = { get(name: string): string | undefined };

/** Runs a handler on hosted Supabase, where the platform gives the project's address and keys in the environment. */
export function serveHosted(
  handler: FunctionHandler,
  environment: Environment,
): (request: Request) => Promise<Response> {
  const need = (name: string) => {
    const value = environment.get(name);
    if (!value) throw new Error(`${name} is not set for this function`);
    return value;
  };
  const siteUrl = need('SITE_URL');
  const admin = createClient(need('SUPABASE_URL'), need('SUPABASE_SERVICE_ROLE_KEY'), {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const db: DatabasePort = {
    async rpc(name, args) {
      const { data, error } = await admin.rpc(name, args);
      if (error) throw new Error(`${name}: ${error.message}`, { cause: error });
      return data;
    },
  };

  async function customerOf(request: Request): Promise<Customer | null> {
    const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (!token) return null;
    const { data } = await admin.auth.getUser(token);
    return data.user ? { id: data.user.id, email: data.user.email ?? null } : null;
  }

  return async (request) => {
    if (request.method === 'OPTIONS') return preflight(request, siteUrl);
    try {
      const context: FunctionContext = { db, customer: await customerOf(request), now: () => new Date() };
      return withCors(await handler(request, context), siteUrl);
    } catch (error) {
      console.error(error);
      return withCors(problem(500, 'unexpected', 'Something went wrong. Please try again.'), siteUrl);
    }
  };
}
