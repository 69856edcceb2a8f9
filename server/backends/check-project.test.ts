import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkProject } from './check-project.ts';
import { recordedChecksum, sha256Of, versionOf } from './schema/migration-history.ts';

const migrations = ['20261101000100_one.sql', '20261101000200_two.sql', '20261101000300_three.sql'].map((file) => {
  const text = `select '${file}';\nselect 2;\n`;
  return { file, version: versionOf(file), text, sha256: sha256Of(text) };
});
const history = ['20261001000100_zero.sql'].map((file) => {
  const text = `select '${file}';\n`;
  return { file, version: versionOf(file), text, sha256: sha256Of(text) };
});
const versions = migrations.map(({ version }) => version);
let server: Server;
let url: string;
let answer = { status: 200, body: '[]' };
/** As the Supabase CLI has recorded the files. */
let statements: Record<string, string[]> = {};
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.apikey}`);
    if (request.url === '/rest/v1/rpc/schema_checksums') {
      const checksums = Object.entries(statements).map(([version, recorded]) => [version, recordedChecksum(recorded)]);
      response.end(JSON.stringify(Object.fromEntries(checksums)));
      return;
    }
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const check = (status: number, body: unknown) => {
  asked = [];
  answer = { status, body: JSON.stringify(body) };
  return checkProject({ url, anonKey: 'sb_publishable_of_the_project' }, { history, migrations });
};

test('a project that has had every migration will do, and so will one that is ahead of us', async () => {
  expect(await check(200, versions)).toEqual({ ok: true });
  expect(asked).toEqual([
    'POST /rest/v1/rpc/schema_versions sb_publishable_of_the_project',
    'POST /rest/v1/rpc/schema_checksums sb_publishable_of_the_project',
  ]);
  expect(await check(200, [...versions, '20991231000000'])).toEqual({ ok: true });
});

test('one whose migrations had another text is refused, and the file is named', async () => {
  const asPushed = Object.fromEntries(
    migrations.map(({ file, version }) => [version, [`select '${file}'`, 'select 2']]),
  );
  statements = asPushed;
  expect(await check(200, versions)).toEqual({ ok: true });
  statements = { ...asPushed, '20261101000200': ["select '20261101000200_two.sql'", 'select 3'] };
  expect(await check(200, versions)).toEqual({
    ok: false,
    isAway: false,
    problem: expect.stringMatching(
      / was made with another text of Migration 20261101000200_two\.sql: put back the file/,
    ),
  });
  statements = {}; // applied by hand, and only the version recorded
  expect(await check(200, versions)).toEqual({ ok: true });
});

test.each([
  [
    200,
    ['20261101000100', '20261101000200'],
    /lacks 1 migration \(20261101000300_three\.sql\): run "npx supabase link"/,
  ],
  [200, ['20261101000100'], /lacks 2 migrations \(20261101000200_two\.sql to 20261101000300_three\.sql\): run/],
  [200, [], /lacks 3 migrations/],
  [
    200,
    ['20261001000100'],
    /was made before 20261101000100_one\.sql, which must be recorded and not pushed: docs\/deploy/,
  ],
  [200, { surprise: true }, /has no schema of this shop/],
  [404, { code: 'PGRST202' }, /has no schema of this shop, or a very old one: run/],
  [401, { message: 'Invalid API key' }, /refuses SUPABASE_ANON_KEY/],
])('one that answers %i %j is refused in one line that says what to do', async (status, body, problem) => {
  const checked = await check(status, body);
  expect(checked).toEqual({ ok: false, isAway: false, problem: expect.stringMatching(problem) });
  expect(checked.ok || checked.problem.split('\n')).toHaveLength(1);
});

test('one that does not answer, or cannot, is waited for, and it is said why', async () => {
  for (const status of [503, 429])
    expect(await check(status, {})).toEqual({ ok: false, isAway: true, problem: `${url} answers ${status}` });
  const checkAt = (address: string) => checkProject({ url: address, anonKey: 'any' }, { history, migrations });
  expect(await checkAt('http://127.0.0.1:9')).toMatchObject({
    isAway: true,
    problem: expect.stringMatching(/ \(.+\)$/),
  });
  expect(await checkAt('https://no-such-project.invalid')).toEqual({
    ok: false,
    isAway: true,
    problem: expect.stringMatching(/^https:\/\/no-such-project\.invalid does not answer \((ENOTFOUND|EAI_AGAIN)\)$/),
  });
});
