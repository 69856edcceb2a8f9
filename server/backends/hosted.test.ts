import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Log } from '../host/log.ts';
import { isDatabaseAway } from '../postgres/database-away.ts';
import type { Backend } from './backend.ts';
import { connectHostedBackend } from './hosted.ts';

type Answer = (response: ServerResponse) => void;
const says =
  (status: number, body: unknown): Answer =>
  (response) =>
    void response.writeHead(status).end(JSON.stringify(body));
const cutsOff: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"half":');
  setTimeout(() => response.destroy(), 20);
};

let server: Server;
let project: Backend;
let connect: (jobsSecret: string | undefined, healthFreshMs?: number) => Promise<Backend>;
let healthChecks = 0;
let answers: Answer[] = [];
let health = 200;
const figures = {
  queues: { depth: { mail: 2 }, overdue: { mail: 60 }, troubled: { mail: 1 }, failed_refunds: 3 },
  orders: { Delivered: 1200 },
};
const waiting = { report: () => {}, signal: new AbortController().signal };
const events: string[] = [];
const noted: Log = ({ event, problem }) =>
  void (event.startsWith('project') && events.push(`${event} ${problem ?? ''}`));

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/rest/v1/rpc/schema_versions') return says(200, [])(response);
    if (request.url === '/rest/v1/rpc/schema_checksums') return says(200, {})(response);
    if (request.url === '/auth/v1/settings') return says(200, { external: { github: true } })(response);
    if (request.url?.startsWith('/rest/v1/shop_settings')) {
      healthChecks += 1;
      return says(health, [])(response);
    }
    if (request.url === '/functions/v1/runJobs') {
      const isKnown = request.method === 'GET' && request.headers['x-jobs-secret'] === 'hush';
      return says(isKnown ? 200 : 401, figures)(response);
    }
    if (request.url !== '/rest/v1/rpc/home_page') return says(404, {})(response);
    (answers.shift() ?? says(500, {}))(response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = { url, anonKey: 'any' };
  connect = (jobsSecret, healthFreshMs = 0) =>
    connectHostedBackend({
      project: address,
      migrations: { history: [], migrations: [] },
      jobsSecret,
      waiting,
      healthFreshMs,
      log: noted,
    });
  project = await connect(undefined);
});
afterAll(async () => {
  await project.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = [];
});

const read = () => project.read('home_page', {}).catch((error: unknown) => error);

test('sign-in is by what the project offers', () => {
  expect(project.publicConfig.signInProvider).toBe('github');
});

test('a page gets its rows although one answer was cut off, or came from a gateway without a backend', async () => {
  for (const trouble of [
    cutsOff,
    says(502, {}),
    says(503, { code: 'PGRST002' }),
    says(429, {}),
    says(400, { code: '57014' }),
  ]) {
    answers = [trouble, says(200, { rows: 3 })];
    expect(await read()).toEqual({ rows: 3 });
  }
});

test('when it happens again the database is away, and people are asked to try later', async () => {
  answers = [cutsOff, cutsOff];
  expect(isDatabaseAway(await read())).toBe(true);
  answers = [says(500, {}), says(500, {})];
  expect(isDatabaseAway(await read())).toBe(true);
});

test('a question that the project refuses is asked once, and is a mistake of ours', async () => {
  answers = [says(404, { code: 'PGRST202' }), says(200, {})];
  const error = await read();
  expect([isDatabaseAway(error), String(error)]).toEqual([false, 'Error: home_page answered 404 PGRST202']);
  expect(answers).toHaveLength(1);
});

test('a function that returns nothing is called once: its 204 is a result, not a lost connection', async () => {
  const nothing: Answer = (response) => void response.writeHead(204).end();
  answers = [nothing, nothing, nothing];
  expect(await read()).toBeNull();
  expect(answers).toHaveLength(2);
  await project.note('home_page', {});
  expect(answers).toHaveLength(1);
});

test('what writes is never sent twice, also when its response is lost', async () => {
  answers = [cutsOff, says(200, {})];
  await expect(project.note('home_page', {})).rejects.toThrow();
  expect(answers).toHaveLength(1);
});

test('that the project is away is told when it begins and when it ends, with the reason', async () => {
  const healthy = async (status: number) => {
    health = status;
    return (await project.health()).status === 'ok';
  };
  expect([await healthy(200), await healthy(503), await healthy(503), await healthy(200)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(events).toEqual([expect.stringMatching(/^project-away http:.* answers 503$/), 'project-back ']);
});

test.each([
  [
    'hush',
    [
      'mithaas_queue_depth',
      'mithaas_queue_overdue_seconds',
      'mithaas_queue_troubled',
      'mithaas_refunds_failed',
      'mithaas_orders',
    ],
  ],
  ['another', []],
  [undefined, []],
])('how the business stands is told to nodes that know the secret of the jobs: %s', async (secret, told) => {
  const node = await connect(secret);
  expect((await node.figures()).map(({ name }) => name)).toEqual(told);
  await node.close();
});

test('a redirect is not followed: keys and secrets go to the project alone', async () => {
  const visited: string[] = [];
  const elsewhere = createServer((request, response) => {
    visited.push(request.url ?? '');
    says(200, {})(response);
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  const redirects: Answer = (response) => void response.writeHead(307, { location }).end();
  answers = [redirects, redirects];
  expect(isDatabaseAway(await read())).toBe(true);
  expect(visited).toEqual([]);
  elsewhere.closeAllConnections();
  elsewhere.close();
});

test('however often its health is asked for, the project is asked once in a while', async () => {
  const shared = await connect(undefined, 60_000);
  healthChecks = 0;
  health = 200;
  await Promise.all(Array.from({ length: 20 }, () => shared.health()));
  await shared.health();
  expect(healthChecks).toBe(1);
  await shared.close();
});
