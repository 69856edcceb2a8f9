import type { Contract, ResultOf } from '../../supabase/contracts/contract.ts';
import { schemaChecksums, schemaVersions } from '../../supabase/contracts/foundations.ts';
import { allMigrations, type MigrationFiles, named, recordedChecksum } from './schema/migration-history.ts';

export type ProjectAddress = { url: string; anonKey: string };

export type ProjectCheck = { ok: true } | { ok: false; problem: string; isAway: boolean };

const remedy = 'run "npx supabase link" and "npx supabase db push" with this version of the shop, then start again';
const adopt = 'docs/deploy.md, "A project made before the baseline", says what to run';
const putBack = 'put back the file as it was pushed, and write the change as a new migration';

/** Whether a Supabase project has every migration of ours, in our words; if not, what is to be done, in one line. */
export async function checkProject({ url, anonKey }: ProjectAddress, files: MigrationFiles): Promise<ProjectCheck> {
  const unfit = (problem: string): ProjectCheck => ({ ok: false, problem: `${url} ${problem}`, isAway: false });
  const away = (reason: string): ProjectCheck => ({ ok: false, problem: `${url} ${reason}`, isAway: true });

  async function call<C extends Contract>({ name, result }: C): Promise<ResultOf<C> | ProjectCheck> {
    const response = await fetch(`${url}/rest/v1/rpc/${name}`, {
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
    const parsed = result.safeParse(response.ok ? await response.json().catch(() => null) : null);
    return parsed.success
      ? (parsed.data as ResultOf<C>)
      : unfit(`has no schema of this shop, or a very old one: ${remedy}`);
  }

  const versions = await call(schemaVersions);
  if (isCheck(versions)) return versions;
  const { history, migrations } = files;
  const missing = migrations.filter(({ version }) => !versions.includes(version)).map(({ file }) => file);
  // Pushed, the baseline would create everything a second time.
  if (missing[0] === migrations[0]?.file && history.some(({ version }) => versions.includes(version)))
    return unfit(`was made before ${missing[0]}, which must be recorded and not pushed: ${adopt}`);
  if (missing.length > 0) {
    const [first, last] = [missing[0], missing.at(-1)];
    const which =
      missing.length === 1 ? `1 migration (${first})` : `${missing.length} migrations (${first} to ${last})`;
    return unfit(`lacks ${which}: ${remedy}`);
  }
  const checksums = await call(schemaChecksums);
  if (isCheck(checksums)) return checksums;
  const edited = allMigrations(files).filter(({ version, text }) => {
    const recorded = checksums[version];
    return recorded !== undefined && recorded !== recordedChecksum([text]);
  });
  return edited.length === 0 ? { ok: true } : unfit(`was made with another text of ${named(edited)}: ${putBack}`);
}

const isCheck = (value: unknown): value is ProjectCheck => typeof value === 'object' && value !== null && 'ok' in value;

/** fetch itself only says that it failed. */
export function reasonOf(error: Error): string {
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
