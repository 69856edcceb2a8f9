import { z } from 'zod';

export type ProjectAddress = { url: string; anonKey: string };

export type ProjectCheck = { ok: true } | { ok: false; problem: string; isAway: boolean };

const Versions = z.array(z.string());
const remedy = 'run "npx supabase link" and "npx supabase db push" with this version of the shop, then start again';

/** Whether a Supabase project has every migration of ours; if not, what is to be done, in one line. */
export async function checkProject({ url, anonKey }: ProjectAddress, migrations: string[]): Promise<ProjectCheck> {
  const unfit = (problem: string): ProjectCheck => ({ ok: false, problem: `${url} ${problem}`, isAway: false });
  const away = (reason: string): ProjectCheck => ({ ok: false, problem: `${url} ${reason}`, isAway: true });
  const response = await fetch(`${url}/rest/v1/rpc/schema_versions`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: '{}',
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  }).catch((error: Error) => error);
  if (response instanceof Error) return away(`does not answer (${reasonOf(response)})`);
  const { status } = response;
  // 429: it is asked too much, by us or by others.
  if (status >= 500 || status === 429) return away(`answers ${status}`);
  if (status === 401 || status === 403) return unfit('refuses SUPABASE_ANON_KEY: copy it again');
  const had = Versions.safeParse(response.ok ? await response.json().catch(() => null) : null);
  if (!had.success) return unfit(`has no schema of this shop, or a very old one: ${remedy}`);
  const missing = migrations.filter((name) => !had.data.includes(name.slice(0, 14)));
  if (missing.length === 0) return { ok: true };
  const [first, last] = [missing[0], missing.at(-1)];
  const which = missing.length === 1 ? `1 migration (${first})` : `${missing.length} migrations (${first} to ${last})`;
  return unfit(`lacks ${which}: ${remedy}`);
}

/** fetch itself only says that it failed. */
export function reasonOf(error: Error): string {
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
