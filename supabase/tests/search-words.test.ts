import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser } from '../../tests/support/rows.ts';
import { callConsole } from './call-console.ts';

type Group = { id: number; words: string[]; updated_at: string };
type Listed = { groups: Group[]; missed: { typed: string; times: number; last_on: string }[] };

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let partner: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
  partner = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());
beforeEach(() => sql`truncate private.missed_searches, private.rate_limits`);

const list = () => callConsole<Listed>(sql, owner, 'admin_list_search_words');
const save = (words: string[], group?: Group, who = owner) =>
  callConsole<number>(sql, who, 'admin_save_search_words', {
    words,
    ...(group ? { id: group.id, seen: group.updated_at } : {}),
  });
const remove = ({ id, updated_at }: Group, who = owner) =>
  callConsole(sql, who, 'admin_delete_search_words', { id, seen: updated_at });
const groupOf = async (id: number) => (await list()).groups.find((group) => group.id === Number(id)) as Group;
const first = async (query: string) =>
  (await sql`select public.search_products(${query}) #>> '{products,0,Name}' as name`)[0]?.name as string | null;
const miss = (query: string) => missAll([query]);
/** In one transaction: its clock stands still, so that no window of a rate limit ends in between. */
const missAll = (queries: string[], headers: Record<string, string> = {}) =>
  as(sql, 'anon', async (tx) => {
    await tx`select set_config('request.headers', ${JSON.stringify(headers)}, true)`;
    for (const query of queries) await tx`select public.record_missed_search(${query})`;
  });

describe('a group of words', () => {
  test('makes the customer find the sweet immediately, is changed and deleted, and is in the log', async () => {
    expect(await first('brownie')).toBeNull();
    const id = await save([' Brownie ', 'brownie', 'chocolate barfi']);
    const group = await groupOf(id);
    expect(group.words).toEqual(['Brownie', 'chocolate barfi']);
    expect(await first('brownie')).toBe('Chocolate Barfi');
    expect(await first('browni')).toBe('Chocolate Barfi');

    await save(['Fudge', 'chocolate barfi'], group);
    expect([await first('brownie'), await first('fudge')]).toEqual([null, 'Chocolate Barfi']);
    await remove(await groupOf(id));
    expect(await first('fudge')).toBeNull();

    const log = await sql<{ action: string; actor: string }[]>`
      select action, actor_id as actor from public.audit_log where table_name = 'search_synonyms' order by id`;
    expect(log).toEqual(['insert', 'update', 'delete'].map((action) => ({ action, actor: owner.userId })));
  });

  test('may have words in any script', async () => {
    const id = await save(['லட்டு', 'laddu-like']);
    expect(await groupOf(id)).toMatchObject({ words: ['லட்டு', 'laddu-like'] });
    await save(['லட்டு', 'besan laddu'], await groupOf(id));
    expect(await first('லட்டு')).toBe('Besan Laddu');
    await remove(await groupOf(id));
  });

  test.each([
    ['one word', ['alone'], 'Enter at least two words that mean the same, separated by commas.'],
    ['the same word twice', ['Twice', ' twice '], 'Enter at least two words that mean the same, separated by commas.'],
    ['nothing', [], 'Enter at least two words that mean the same, separated by commas.'],
    ['too many', Array.from({ length: 25 }, (_, n) => `word${n}`), 'A group can have up to 24 words.'],
    ['a long one', ['short', 'x'.repeat(41)], 'Each word can have at most 40 characters.'],
    ['only signs', ['short', '!?%'], '“!?%” has no letters that search could look for.'],
    ['a sentence', ['short', 'one two three'], '“one two three” is too long: one or two words mean one thing.'],
  ])('is refused at its field: %s', async (_what, words, message) => {
    const before = (await list()).groups;
    await expect(save(words)).rejects.toMatchObject({ code: 'PT422', detail: 'words', message });
    expect((await list()).groups).toEqual(before);
  });

  test('cannot take a word from another group, however it is spelled', async () => {
    await expect(save(['Burffee', 'fudge'])).rejects.toMatchObject({ code: 'PT422', detail: 'words' });
    await expect(save(['Burffee', 'fudge'])).rejects.toThrow(/is in another group already: barfi, burfi/);
  });

  test('that two administrators have open is changed by the first only', async () => {
    const seen = await groupOf(await save(['Mawa cake', 'mava cake']));
    await save(['Mawa cake', 'mava cake', 'Parsi cake'], seen, partner);
    await expect(save(['Mawa cake', 'sponge'], seen)).rejects.toMatchObject({ code: 'PT409' });
    await expect(remove(seen)).rejects.toMatchObject({ code: 'PT409' });
    expect((await groupOf(seen.id)).words).toContain('Parsi cake');
    await remove(await groupOf(seen.id), partner);
    await expect(remove(seen)).rejects.toMatchObject({ code: 'PT409' });
  });
});

describe('searches without results', () => {
  const missed = async () => (await list()).missed.map(({ typed, times }) => [typed, times]);

  test('is counted, however it is spelled, and shown from the second time on', async () => {
    await miss('Ghevar');
    expect(await missed()).toEqual([]);
    await miss('  ghevvar ');
    await miss('soan papdi');
    expect(await missed()).toEqual([['ghevar', 2]]);
  });

  test('is gone when the owner says what it means, or forgets it', async () => {
    for (const words of ['modak', 'modak', 'imarti', 'imarti']) await miss(words);
    const id = await save(['modak', 'motichoor laddu']);
    expect(await missed()).toEqual([['imarti', 2]]);
    await callConsole(sql, owner, 'admin_delete_missed_search', { typed: 'imarti' });
    expect(await missed()).toEqual([]);
    await remove(await groupOf(id));
  });

  test('contains no personal data: no numbers, addresses or sentences, and nothing that is sold', async () => {
    for (const words of [
      '9820012345',
      '９８７６５４３２१०',
      '९८७६५४३२१०',
      '٩٨٧٦٥٤٣٢١٠',
      '۹۸۷۶۵۴۳۲۱۰',
      '௯௮௭௬௫௪௩௨௧௦',
      '৯৮৭৬৫৪৩২১০',
      '𝟗𝟖𝟕𝟔𝟓𝟒',
      '①②③④⑤⑥',
      'asha＠example．com',
      'asha﹫example',
      'www.example.com',
      'meera@example.com',
      'flat 4b',
      'my name is meera joshi from pune',
      'ladoo',
      'ab',
      '<b>',
    ])
      for (const _time of [1, 2]) await miss(words);
    expect((await sql`select from private.missed_searches`).length).toBe(0);
    const columns = await sql<{ name: string }[]>`
      select attname as name from pg_attribute where attrelid = 'private.missed_searches'::regclass and attnum > 0 order by attnum`;
    expect(columns.map(({ name }) => name)).toEqual(['word', 'typed', 'times', 'last_on']);
  });

  test('is kept in the scripts of India', async () => {
    for (const words of ['घेवर', 'गुझिया', 'மைசூர் பாகு', 'ছানার পায়েস', 'फ़िरनी', 'گجیا', 'crème brûlée'])
      for (const _time of [1, 2]) await miss(words);
    expect((await missed()).length).toBe(7);
  });

  test('takes its turn before anything is searched', async () => {
    await missAll([...Array(31).fill('besan laddu'), 'ghevar', 'ghevar']);
    expect(await missed()).toEqual([]);
  });

  test('is counted for others while one caller floods the list', async () => {
    await miss('ghevar');
    const flood = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    // “ghevar” is on the list already and needs no budget.
    await missAll([...Array(31).fill('besan laddu'), 'modak', 'ghevar'], flood);
    await miss('modak'); // a page
    await missAll(['imarti'], { 'cf-connecting-ip': '203.0.113.10' });
    const rows = await sql`select typed, times from private.missed_searches order by typed`;
    expect([...rows]).toEqual([
      { typed: 'ghevar', times: 2 },
      { typed: 'imarti', times: 1 },
      { typed: 'modak', times: 1 },
    ]);
    const subjects = await sql`select subject from private.rate_limits where action = 'missed search'`;
    expect(JSON.stringify(subjects)).not.toContain('203.0.113');
  });

  test('counts a word once in ten minutes, so that one visitor cannot make it look popular', async () => {
    await missAll(Array(50).fill('gujiya'));
    expect(await missed()).toEqual([['gujiya', 2]]);
  });

  test('stays small: thirty a minute, three hundred in all, and frequent words stay', async () => {
    const letters = (n: number) => [...String(n)].map((digit) => 'bdfgklmnpr'[Number(digit)]).join('o');
    await sql`insert into private.missed_searches (word, typed, times, last_on)
      select 'w' || n, 'w' || n, case when n = 1 then 50 else 1 end, current_date from generate_series(1, 300) n`;
    await missAll(Array.from({ length: 40 }, (_, n) => `zuzu${letters(100 + n)}`));
    const [row] = await sql<{ all: number; mine: number; often: number }[]>`
      select count(*)::int as all, (count(*) filter (where word like 'juju%'))::int as mine,
             (count(*) filter (where times = 50))::int as often from private.missed_searches`;
    expect(row?.all).toBe(300);
    expect(row?.mine).toBeGreaterThan(0);
    expect(row?.mine).toBeLessThanOrEqual(30);
    expect(row?.often).toBe(1);
  });
});
