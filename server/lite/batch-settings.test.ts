import type { ReservedSql } from 'postgres';
import { expect, test } from 'vitest';
import { batchSettings } from './batch-settings.ts';

/** Answers every question with its text, but those that contain `broken`. */
function connection(broken = 'nothing of the kind', check?: string) {
  const asked: { text: string; values: unknown[] }[] = [];
  const reserved = {
    unsafe: async (text: string, values: unknown[]) => {
      asked.push({ text, values });
      if (text.includes(broken)) throw new Error(`${broken} is refused`);
      return [text];
    },
  } as unknown as ReservedSql;
  const sql = batchSettings(reserved, check ? { check } : {});
  return { sql, asked, ask: (text: string, ...values: string[]) => sql.unsafe(text, values) };
}
const set = (name: string) => `SELECT set_config('${name}', $1, true)`;

test('settings go with the first question, in their order, as one', async () => {
  const { asked, ask } = connection();
  await ask('begin');
  await ask(set('role'), 'authenticated');
  await ask(set('request.jwt.claim.sub'), 'somebody');
  await ask("SELECT set_config('response.status', '', true)");
  expect(asked.map(({ text }) => text)).toEqual(['begin']);
  expect(await ask('select 1')).toEqual(['select 1']);
  await ask('select 2');
  await ask('commit');
  expect(asked.map(({ text }) => text)).toEqual([
    'begin',
    "select set_config('role', $1, true), set_config('request.jwt.claim.sub', $2, true), set_config('response.status', $3, true)",
    'select 1',
    'select 2',
    'commit',
  ]);
  expect(asked[1]?.values).toEqual(['authenticated', 'somebody', '']);
});

test('a check runs in the statement that sets the claims, after them, and what it refuses fails', async () => {
  for (const broken of ['nothing of the kind', 'check_session']) {
    const { asked, ask } = connection(broken, 'check_session()');
    await ask('begin');
    await ask(set('role'), 'authenticated');
    await ask('set local role authenticated');
    await ask(set('request.jwt.claims'), '{}');
    const answer = ask('select 1');
    if (broken === 'check_session') await expect(answer).rejects.toThrow('check_session is refused');
    else expect(await answer).toEqual(['select 1']);
    expect(asked.map(({ text }) => text).filter((text) => text.includes('set_config'))).toEqual([
      "select set_config('role', $1, true)",
      "select set_config('request.jwt.claims', $1, true), check_session()",
    ]);
  }
});

test('a setting that is refused fails the question it goes with, also a commit', async () => {
  for (const question of ['select 1', 'commit']) {
    const { asked, ask } = connection("'role'");
    await ask('begin');
    await ask(set('role'), 'nobody');
    await expect(ask(question)).rejects.toThrow("'role' is refused");
    await ask('rollback');
    await ask('begin');
    expect(await ask('select 2')).toEqual(['select 2']);
    expect(asked.map(({ text }) => text).slice(-2)).toEqual(['begin', 'select 2']);
  }
});

test('who asks is only said in a transaction that has begun', async () => {
  const { asked, ask } = connection('begin');
  await expect(ask('begin')).rejects.toThrow('begin is refused');
  expect(asked.map(({ text }) => text)).toEqual(['begin']);
});

test('what was set before a rollback is not set after it', async () => {
  const { asked, ask } = connection();
  await ask('begin');
  await ask(set('role'), 'authenticated');
  await ask('rollback');
  await ask('select 1');
  expect(asked.map(({ text }) => text)).toEqual(['begin', 'rollback', 'select 1']);
});
