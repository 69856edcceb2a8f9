import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { greetingAt } from '../../domain/greetings/greeting-at.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, type Caller } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let owner: Caller;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  const [row] = await sql<{ userId: string }[]>`select user_id as "userId" from private.administrators limit 1`;
  owner = { userId: row?.userId ?? '' };
});
afterAll(() => database.drop());

test('the console and the shop agree on which greeting is shown, at any moment', async () => {
  // Some that quarrel: same priority, same start, not published.
  await sql`insert into public.greetings (title, starts_at, ends_at, priority, is_published)
    select 'Quarrel ' || n, timestamptz '2026-11-10 00:00+05:30' + (n % 7) * interval '5 hours',
           timestamptz '2026-11-10 00:00+05:30' + (n % 7) * interval '5 hours' + (1 + n % 5) * interval '9 hours', 45 + n % 4, n % 6 <> 0
    from generate_series(1, 40) n`;
  const rows = await sql<{ id: number; starts: Date; ends: Date; priority: number; published: boolean }[]>`
    select id::int, starts_at as starts, ends_at as ends, priority, is_published as published from public.greetings`;
  const greetings = rows.map(({ id, starts, ends, priority, published }) => ({
    id,
    startsAt: starts.getTime(),
    endsAt: ends.getTime(),
    priority,
    isPublished: published,
  }));
  const moments = await sql<{ at: Date; shown: number | null }[]>`
    select m.at, (public.page_frame(m.at) #>> '{greeting,id}')::int as shown
    from (select generate_series(timestamptz '2026-11-09 00:00+05:30', '2026-11-14 00:00+05:30', interval '37 minutes') as at
          union all select generate_series(timestamptz '2026-10-01', '2029-02-01', interval '53 hours')
          union all select starts_at from public.greetings union all select ends_at from public.greetings) m`;
  const wrong = moments.filter(({ at, shown }) => (greetingAt(greetings, at.getTime())?.id ?? null) !== shown);
  expect(wrong).toEqual([]);
  expect(new Set(moments.map(({ shown }) => shown)).size).toBeGreaterThan(30);
});

describe.each(['caurousel', 'testimonials'])('the order of %s', (table) => {
  const ids = async () =>
    (await sql<{ id: number }[]>`select id::int from ${sql(`public.${table}`)} order by position, id`).map(
      ({ id }) => id,
    );
  const order = (wanted: number[], seen: number[]) =>
    as(sql, owner, (tx) => tx`select public.admin_order_rows(${table}, ${wanted}::bigint[], ${seen}::bigint[])`).then(
      () => 'done',
      ({ code, detail }: { code: string; detail: string }) => `${code} ${detail}`,
    );

  test('is saved whole, and is the order of the shop', async () => {
    const before = await ids();
    const after = [...before].reverse();
    expect(await order(after, before)).toBe('done');
    expect(await ids()).toEqual(after);
    const log = await sql`select from public.audit_log where table_name = ${table} and after ? 'position'`;
    expect(log.length).toBeGreaterThan(1);
  });

  test('is not saved over the change of another administrator', async () => {
    const seen = await ids();
    const mine = [...seen.slice(1), seen[0] ?? 0];
    await sql`update ${sql(`public.${table}`)} set position = 99 where id = ${seen[1] ?? 0}`;
    const theirs = await ids();
    expect(await order(mine, seen)).toBe('PT409 stale');
    expect(await ids()).toEqual(theirs);
    const [added] = await sql`insert into ${sql(`public.${table}`)} ${sql(
      table === 'caurousel'
        ? { background_img: '/x.webp', title: 'x', buttonaction: '/shop', buttontitle: 'x', position: 100 }
        : { title: 'x', author: 'x', text: 'x', stars: 5, position: 100 },
    )} returning id::int`;
    expect(await order([...theirs].reverse(), theirs)).toBe('PT409 stale');
    await sql`delete from ${sql(`public.${table}`)} where id = ${added?.id}`;
    expect(await order([...theirs].reverse(), theirs)).toBe('done');
  });

  test('has everything in it once', async () => {
    const seen = await ids();
    const [first = 0] = seen;
    expect(await order([first, ...seen], seen)).toBe('PT422 ids');
    expect(await order(seen.slice(1), seen)).toBe('PT422 ids');
    expect(await order([], seen)).toBe('PT422 ids');
    expect(
      await order(
        seen.map(() => first),
        seen,
      ),
    ).toBe('PT422 ids');
    expect(await ids()).toEqual(seen);
  });

  test('is saved by one of two administrators who reorder at the same moment', async () => {
    const seen = await ids();
    const outcomes = await Promise.all([
      order([...seen].reverse(), seen),
      order([...seen.slice(1), seen[0] ?? 0], seen),
    ]);
    expect(outcomes.sort()).toEqual(['PT409 stale', 'done']);
  });
});

test('nothing else has an order', async () => {
  const call = as(sql, owner, (tx) => tx`select public.admin_order_rows('orders', '{}', '{}')`);
  await expect(call).rejects.toMatchObject({ code: 'PT422', detail: 'table_name' });
});
