import { describe, expect, inject, test } from 'vitest';
import { isIn } from '../support/in-shapes.ts';
import { connectToShop } from '../support/rows.ts';
import { metricsToken } from '../support/shop-setup.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');

type Sample = { name: string; labels: Record<string, string>; value: number };
type Family = { type: string; help: string; samples: Sample[] };

/** A strict parser of the text format: any line it does not allow is an error. */
function parse(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const help = /^# HELP ([a-z_:][a-z0-9_:]*) (\S.*)$/.exec(line);
    const type = /^# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)$/.exec(line);
    if (help) {
      const [, name = '', words = ''] = help;
      if (families.has(name)) throw new Error(`${name} comes twice`);
      families.set(name, { type: '', help: words, samples: [] });
      current = name;
    } else if (type) {
      const family = families.get(type[1] ?? '');
      if (type[1] !== current || !family || family.type) throw new Error(`a type out of place: ${line}`);
      family.type = type[2] ?? '';
    } else {
      const [all, name = '', , inner = '', number = ''] =
        /^([a-z_:][a-z0-9_:]*)(\{(.+)\})? (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line) ?? [];
      const family = families.get(current);
      if (!all || !family?.type) throw new Error(`not a sample: ${line}`);
      const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (!suffixes.some((suffix) => name === current + suffix)) throw new Error(`not of ${current}: ${line}`);
      if (seen.has(name + inner)) throw new Error(`comes twice: ${line}`);
      seen.add(name + inner);
      family.samples.push({ name, labels: parseLabels(inner), value: Number(number) });
    }
  }
  return families;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const [all = '', name = '', value = ''] =
      /^([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/.exec(rest) ?? [];
    if (!all || name in labels) throw new Error(`not labels: ${text}`);
    labels[name] = value;
    rest = rest.slice(all.length);
  }
  return labels;
}

const ask = (authorization?: string, method = 'GET') =>
  fetch(`${shopUrl}/metrics`, { method, headers: authorization ? { authorization } : {} });

async function read(): Promise<Map<string, Family>> {
  const response = await ask(`Bearer ${metricsToken}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return parse(await response.text());
}

function figure(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const found = families
    .get(name.replace(/_(bucket|sum|count)$/, ''))
    ?.samples.find(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
  return found?.value ?? 0;
}

describe('metrics', () => {
  test.each([
    ['no token', undefined],
    ['a wrong token', `Bearer ${metricsToken}x`],
    ['a part of it', `Bearer ${metricsToken.slice(0, -1)}`],
    ['an empty one', 'Bearer '],
    ['another scheme', `Basic ${metricsToken}`],
  ])('are refused to clients with %s', async (_what, authorization) => {
    const response = await ask(authorization);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: { code: 'token-required', message: 'Metrics need their token.' } });
  });

  // Each process counts what it was asked itself.
  if (isIn('embedded')) {
    test('count requests by purpose and status', async () => {
      const before = await read();
      const missing = { kind: 'page', status: '4xx' };
      await fetch(`${shopUrl}/no-such-page-${Date.now()}`);
      await fetch(`${backendUrl}/rest/v1/no_such_table`);
      const after = await read();
      const grown = (name: string, labels: Record<string, string>) =>
        figure(after, name, labels) - figure(before, name, labels);
      // Other tests ask the same shop at the same time.
      expect(grown('mithaas_http_requests_total', missing)).toBeGreaterThanOrEqual(1);
      expect(grown('mithaas_http_requests_total', { kind: 'data', status: '4xx' })).toBeGreaterThanOrEqual(1);
      expect(grown('mithaas_http_request_duration_seconds_count', { kind: 'page' })).toBeGreaterThanOrEqual(1);
      expect(grown('mithaas_http_requests_total', { kind: 'health', status: '2xx' })).toBeGreaterThanOrEqual(1);
    });

    test('count cache hits and misses of pages', async () => {
      const counted = (families: Map<string, Family>, result: string) =>
        figure(families, 'mithaas_page_cache_requests_total', { result });
      const before = await read();
      // Other tests change what pages show, and everything kept is let go; not between all of twenty visits.
      for (let i = 0; i < 20; i += 1) await fetch(`${shopUrl}/terms`);
      const after = await read();
      expect(counted(after, 'hit') - counted(before, 'hit')).toBeGreaterThanOrEqual(5);
      expect(counted(after, 'miss')).toBeGreaterThanOrEqual(1);
      await expect
        .poll(async () => {
          await fetch(`${shopUrl}/terms`);
          return figure(await read(), 'mithaas_page_cache_bytes');
        })
        .toBeGreaterThan(1000);
    });
  }

  test('have consistent histograms', async () => {
    await fetch(`${shopUrl}/terms`);
    await fetch(`${shopUrl}/healthz`);
    const samples = (await read()).get('mithaas_http_request_duration_seconds')?.samples ?? [];
    const kinds = new Set(samples.map(({ labels }) => labels.kind));
    expect(kinds.size).toBeGreaterThan(1);
    for (const kind of kinds) {
      const of = samples.filter(({ labels }) => labels.kind === kind);
      const buckets = of.filter(({ name }) => name.endsWith('_bucket'));
      expect(buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))).toEqual(
        [...buckets].map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity'))).sort((a, b) => a - b),
      );
      for (const [index, bucket] of buckets.entries())
        expect(bucket.value).toBeGreaterThanOrEqual(buckets[index - 1]?.value ?? 0);
      expect(buckets.at(-1)).toMatchObject({
        labels: { le: '+Inf' },
        value: of.find(({ name }) => name.endsWith('_count'))?.value,
      });
    }
  });

  test('report the business: orders, queues and refunds, as the database has them', async () => {
    const sql = await connectToShop(inject('shopDataDir'));
    const families = await read();
    const [stored] = await sql<{ orders: number }[]>`select count(*)::int as orders from public.orders`;
    await sql.end();
    // Other tests place orders at the same time, and none deletes one; a year of them was there before.
    const orders = families.get('mithaas_orders')?.samples ?? [];
    const told = orders.reduce((sum, { value }) => sum + value, 0);
    expect(told).toBeGreaterThan(1000);
    expect(told).toBeLessThanOrEqual(stored?.orders ?? 0);
    expect(orders.map(({ labels }) => labels.status)).toContain('Delivered');
    for (const name of ['mithaas_queue_depth', 'mithaas_queue_overdue_seconds', 'mithaas_queue_troubled']) {
      const queues = families.get(name)?.samples.map(({ labels }) => labels.queue);
      expect(queues?.sort()).toEqual(['mail', 'message', 'order-change', 'payment-check', 'refund', 'refund-check']);
    }
    expect(families.get('mithaas_refunds_failed')?.samples).toHaveLength(1);
    expect(figure(families, 'mithaas_process_memory_bytes', { kind: 'resident' })).toBeGreaterThan(1e7);
    expect(families.get('mithaas_event_loop_lag_seconds')?.samples).toHaveLength(3);
  });

  // A web node of a hosted project has no connections to its database.
  if (!isIn('hosted')) {
    test('report the database itself', async () => {
      const families = await read();
      expect(figure(families, 'mithaas_database_up')).toBe(1);
      expect(figure(families, 'mithaas_database_connections_max')).toBe(60);
      expect(figure(families, 'mithaas_database_connections', { state: 'active' })).toBeGreaterThanOrEqual(1);
    });
  }

  test('have few labels, none of them from user input', async () => {
    for (const path of ['/a/b/c', '/product/123456', '/rest/v1/secret_table', '/functions/v1/nobody', '/x.php', '/%20'])
      await fetch(`${shopUrl}${path}?email=a@example.com`);
    const response = await ask(`Bearer ${metricsToken}`);
    const text = await response.text();
    expect(text).not.toMatch(/secret_table|nobody|123456|php|@/);
    const kinds = (await read()).get('mithaas_http_requests_total')?.samples.map(({ labels }) => labels.kind);
    const known = ['page', 'file', 'data', 'sign-in', 'upload', 'function', 'demo', 'health', 'other'];
    for (const kind of kinds ?? []) expect(known).toContain(kind);
  });

  test('are read-only', async () => {
    expect((await ask(`Bearer ${metricsToken}`, 'POST')).status).toBe(405);
    const head = await ask(`Bearer ${metricsToken}`, 'HEAD');
    expect(head.status).toBe(200);
  });
});

describe('a request', () => {
  test('has one id, which an untrusted client cannot choose', async () => {
    const ids = await Promise.all(
      ['/', '/', '/cart', '/env.json'].map(async (path) => {
        const response = await fetch(`${shopUrl}${path}`, { headers: { 'x-request-id': 'chosen' } });
        const id = response.headers.get('x-request-id') ?? '';
        expect(await response.text()).not.toContain(id);
        return id;
      }),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
