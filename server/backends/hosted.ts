import { createClient } from '@supabase/supabase-js';
import { z } from 'zod';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { describeError, type Log } from '../host/log.ts';
import { type Health, sharedHealth } from '../operations/health.ts';
import type { Figure } from '../operations/metrics/figure.ts';
import { BusinessFigures, businessMetrics, cachedFigures } from '../operations/metrics/shop-figures.ts';
import { type Waiting, waitFor } from '../operations/wait-for.ts';
import { isDatabaseAway } from '../postgres/database-away.ts';
import { refused, refuseUpgrade } from '../realtime/upgrade.ts';
import type { Backend } from './backend.ts';
import { checkProject, type ProjectAddress, reasonOf } from './check-project.ts';
import type { MigrationFiles } from './schema/migration-history.ts';

export type HostedOptions = {
  project: ProjectAddress;
  /** Those that the project must have had. */
  migrations: MigrationFiles;
  /** Of the project's jobs; it also opens the business figures. */
  jobsSecret: string | undefined;
  /** Whether the project's functions have a service for WhatsApp and SMS. */
  sendsMessages?: boolean;
  waiting: Waiting;
  /** However often /healthz is called, the project is requested once in this time. */
  healthFreshMs?: number;
  log: Log;
};

// Shorter than the timeout of most proxies.
const TIMEOUT_MS = 5_000;
const HEALTH_FRESH_MS = 2_000;
const RETRIED_WITHIN_MS = 2_000;
const elsewhere = 'The backend of this shop has its own address: see /env.json.';
const Settings = z.object({ external: z.object({ google: z.boolean().optional(), github: z.boolean().optional() }) });

/** A Supabase project elsewhere: browsers talk to it directly, and so do we when rendering. */
export async function connectHostedBackend(options: HostedOptions): Promise<Backend> {
  const { project, migrations, jobsSecret, waiting, healthFreshMs = HEALTH_FRESH_MS, log } = options;
  const { url, anonKey } = project;
  const publicConfig: Backend['publicConfig'] = {
    url,
    key: anonKey,
    signInProvider: 'google',
    ...(options.sendsMessages && { sendsMessages: true as const }),
  };
  const supabase = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const pageListeners: (() => void)[] = [];
  let areFiguresAvailable = true;

  async function check(): Promise<void> {
    const checked = await checkProject(project, migrations);
    if (!checked.ok) throw checked.isAway ? away(checked.problem) : new Error(checked.problem);
    publicConfig.signInProvider = await signInProvider();
  }

  async function signInProvider(): Promise<'google' | 'github'> {
    const response = await request('/auth/v1/settings');
    const settings = Settings.safeParse(await response.json().catch(() => null));
    const { google, github } = settings.data?.external ?? {};
    return github && !google ? 'github' : 'google';
  }

  async function request(path: string, body?: unknown): Promise<Response> {
    const response = await fetch(url + path, {
      headers: { apikey: anonKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error) => {
      throw away(`the project does not answer: ${error.message}`);
    });
    return response;
  }

  async function figures(secret: string): Promise<Figure[]> {
    try {
      const response = await fetch(`${url}/functions/v1/runJobs`, {
        headers: { 'x-jobs-secret': secret },
        redirect: 'error', // the secret is for the project alone
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`runJobs answered ${response.status}`);
      const metrics = businessMetrics(BusinessFigures.parse(await response.json()));
      areFiguresAvailable = true;
      return metrics;
    } catch (error) {
      // Once: metrics are scraped again and again.
      if (areFiguresAvailable) log({ level: 'warn', event: 'no-figures', error: describeError(error) });
      areFiguresAvailable = false;
      return [];
    }
  }

  async function readOnce(name: string, args: Record<string, unknown>): Promise<unknown> {
    const response = await request(`/rest/v1/rpc/${name}`, args);
    // What PostgREST responds for functions that return void.
    if (response.status === 204) return null;
    const result: unknown = await response.json().catch(() => undefined);
    if (response.ok && result !== undefined) return result;
    const { code = '' } = (result ?? {}) as { code?: string };
    const message = `${name} answered ${response.status} ${code}`;
    // Cut off, too busy (429, 57014: it took too long), or broken behind the gateway: none of it is about the query.
    const isPassing = response.ok || response.status >= 500 || response.status === 429 || code === '57014';
    throw isPassing ? away(message) : new Error(message);
  }

  let reported: string | null = null;
  async function health(): Promise<Health> {
    const reason = await reasonAway(project);
    if (reason !== reported)
      log(
        reason ? { level: 'warn', event: 'project-away', problem: reason } : { level: 'info', event: 'project-back' },
      );
    reported = reason;
    return { status: reason === null ? 'ok' : 'database-away' };
  }

  // A project that does not respond yet is retried; one that lacks something is not, because retrying would not help.
  await waitFor(check, waiting);

  // Without realtime pages are as old as they may get (pagesLastMs); after every new connection something may have been missed.
  supabase
    .channel('web-node')
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'page_changes' }, notifyPages)
    .subscribe((state) => {
      if (state === 'SUBSCRIBED') notifyPages();
      else if (state !== 'CLOSED') log({ level: 'warn', event: 'realtime-away', state });
    });
  function notifyPages(): void {
    for (const listener of pageListeners) listener();
  }

  return {
    publicConfig,
    async read(name, args) {
      const began = performance.now();
      return readOnce(name, args).catch((error: unknown) => {
        // One dropped connection costs no page, but a visitor who has waited already is not kept waiting for a retry.
        if (!isDatabaseAway(error) || performance.now() - began > RETRIED_WITHIN_MS) throw error;
        return readOnce(name, args);
      });
    },
    note: async (name, args) => void (await readOnce(name, args)),
    async serve(request) {
      const { pathname } = new URL(request.url);
      return /^\/(rest|auth|storage|functions|realtime)\/v1(\/|$)/.test(pathname)
        ? problem(404, 'hosted-elsewhere', elsewhere)
        : null;
    },
    onPagesChanged: (listener) => void pageListeners.push(listener),
    pagesLastMs: 60_000,
    handleUpgrade(_request, socket) {
      refuseUpgrade(socket, refused(404, 'hosted-elsewhere', elsewhere));
    },
    health: sharedHealth(health, healthFreshMs),
    figures: jobsSecret ? cachedFigures(() => figures(jobsSecret)) : async () => [],
    async close() {
      // Without unsubscribing, which would wait for a project that is away.
      await supabase.realtime.disconnect();
    },
  };
}

async function reasonAway({ url, anonKey }: ProjectAddress): Promise<string | null> {
  const query = fetch(`${url}/rest/v1/shop_settings?select=name`, {
    headers: { apikey: anonKey },
    redirect: 'error',
    signal: AbortSignal.timeout(4000),
  });
  return query.then(
    ({ ok, status }) => (ok ? null : `${url} answers ${status}`),
    (error: Error) => `${url} does not answer (${reasonOf(error)})`,
  );
}

/** As the database itself would say it (connection_failure), so that pages offer to try again. */
function away(message: string): Error {
  return Object.assign(new Error(message), { code: '08006' });
}
