import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { FetchedFile } from '#app/backend/files.ts';
import { historyOf, stateOf } from './consent-words.ts';
import { consentsFrom, fetchOwnData } from './own-data.ts';

const piece = (files: Record<string, string>, next: string | null = null): FetchedFile => ({
  ok: true,
  file: new Blob([
    zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
    ) as Uint8Array<ArrayBuffer>,
  ]),
  leftOut: 0,
  next,
});
const contentOf = async (file: Blob) =>
  Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(await file.arrayBuffer()))).map(([name, bytes]) => [
      name,
      strFromU8(bytes),
    ]),
  );

test('pieces become one file, asked for one after the other', async () => {
  const answers: Record<string, FetchedFile> = {
    myData: piece({ 'profile.json': '{}', 'orders-1-to-300.json': '[1]' }, 'orders,300'),
    'myData?after=orders%2C300': piece({ 'orders-301-to-320.json': '[2]' }, 'documents,1,2026,20'),
    'myData?after=documents%2C1%2C2026%2C20': piece({ 'documents/invoice.pdf': '%PDF' }),
  };
  const asked: string[] = [];
  const counted: number[] = [];
  const fetched = await fetchOwnData(
    async (question) => {
      asked.push(question);
      return answers[question] ?? { ok: false, message: question };
    },
    (pieces) => counted.push(pieces),
  );
  expect(asked).toEqual(Object.keys(answers));
  expect(counted).toEqual([1, 2, 3]);
  expect(fetched.ok && (await contentOf(fetched.file))).toEqual({
    'profile.json': '{}',
    'orders-1-to-300.json': '[1]',
    'orders-301-to-320.json': '[2]',
    'documents/invoice.pdf': '%PDF',
  });
});

test('a file in one piece is kept as it came, and a refusal is passed on', async () => {
  const only = piece({ 'profile.json': '{}' });
  expect(
    await fetchOwnData(
      async () => only,
      () => {},
    ),
  ).toEqual({ ok: true, file: only.ok && only.file });
  const refused = { ok: false, message: 'Please try again tomorrow.' } as const;
  expect(
    await fetchOwnData(
      async () => refused,
      () => {},
    ),
  ).toEqual(refused);
});

test('choices are read as far as this page knows them, and listed newest first', () => {
  const choice = (agreed: boolean, at: string, source: string) => ({ agreed, at, source });
  const consents = consentsFrom([
    {
      purpose: 'news',
      agreed: false,
      since: '2026-11-03T10:00:00+00:00',
      source: 'email',
      history: [choice(false, '2026-11-03T10:00:00Z', 'email'), choice(true, '2026-10-01T10:00:00Z', 'checkout')],
    },
    {
      purpose: 'sms',
      agreed: true,
      since: '2026-10-20T10:00:00Z',
      source: 'profile',
      history: [choice(true, '2026-10-20T10:00:00Z', 'profile'), choice(true, 'never', 'profile')],
    },
    { purpose: 'review-requests', agreed: true, since: null, source: null, history: [] },
    { purpose: 'telepathy', agreed: true, since: null, source: null, history: [] },
  ]);
  expect(consents.map((consent) => [consent.purpose, stateOf(consent)])).toEqual([
    ['news', 'Off since 3 Nov 2026, chosen by the link in a message.'],
    ['sms', 'On since 20 Oct 2026, chosen in your profile.'],
    ['review-requests', ''],
  ]);
  expect(historyOf(consents).map(({ what }) => what)).toEqual([
    '“Send me news and offers” turned off by the link in a message',
    '“Order updates by SMS” turned on in your profile',
    '“Send me news and offers” turned on at checkout',
  ]);
  expect(consentsFrom(null)).toEqual([]);
});
