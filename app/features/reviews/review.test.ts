import { expect, test } from 'vitest';
import {
  cleanComment,
  commentLength,
  formatDay,
  isBlank,
  momentFrom,
  reviewFrom,
  shownComment,
  summaryFrom,
  summaryWith,
  summaryWithout,
} from './review.ts';

test.each([
  ['2026-11-16 04:01:39.93+00', '2026-11-16T04:01:39.930Z'],
  ['2026-11-16 04:01:39+00', '2026-11-16T04:01:39.000Z'],
  ['2026-11-16T04:01:39.930123+00:00', '2026-11-16T04:01:39.930Z'],
  ['2026-11-16T04:01:39Z', '2026-11-16T04:01:39.000Z'],
  ['2026-11-16 09:31:39.5+05:30', '2026-11-16T04:01:39.500Z'],
  ['2026-11-16 09:31:39+0530', '2026-11-16T04:01:39.000Z'],
  ['2026-11-16 04:01:39', '2026-11-16T04:01:39.000Z'],
])('%s is read as %s', (text, iso) => expect(momentFrom(text)?.toISOString()).toBe(iso));

test.each([null, undefined, '', 'yesterday', '2026-11-16', '2026-13-45 99:01:39+00', 1763265699, {}])(
  '%j is no moment, and no error',
  (value) => expect(momentFrom(value)).toBeNull(),
);

test('days are those of India', () => {
  expect(formatDay(new Date('2026-11-16T18:29:59Z'))).toBe('16 November 2026');
  expect(formatDay(new Date('2026-11-16T18:30:00Z'))).toBe('17 November 2026');
});

test('a row becomes a review; a nameless author is Anonymous', () => {
  const row = {
    id: '7',
    content: 'Lovely',
    rating: '5',
    created_at: '2026-11-16 04:01:39.93+00',
    updated_at: null,
    user_id: 'u',
    author_name: '  ',
    author_avatar_url: '',
  };
  expect(reviewFrom(row)).toEqual({
    id: 7,
    content: 'Lovely',
    rating: 5,
    createdAt: new Date('2026-11-16T04:01:39.930Z'),
    edited: false,
    userId: 'u',
    author: 'Anonymous',
    avatarUrl: null,
  });
  expect(reviewFrom({ ...row, author_name: 'Priya', updated_at: '2026-11-17 00:00:00+00' })).toMatchObject({
    author: 'Priya',
    edited: true,
  });
});

test('characters are counted as the database counts them', () => {
  expect(commentLength('लड्डू 😋')).toBe(7);
  expect(commentLength('😋'.repeat(2000))).toBe(2000);
});

test('blank means nothing but space', () => {
  expect(isBlank(' \n\t\u00a0')).toBe(true);
  expect(isBlank(' क ')).toBe(false);
});

test('what cannot be stored is left out of what is sent', () => {
  expect(cleanComment('  a\0b \n')).toBe('ab');
  expect(cleanComment('half \ud83d emoji')).toBe('half \ufffd emoji');
  expect(cleanComment('<script>alert(1)</script>')).toBe('<script>alert(1)</script>');
});

test('line breaks are kept, a screenful of them is not', () => {
  expect(shownComment('one\ntwo\n\nthree\n \n\n\n\nfour')).toBe('one\ntwo\n\nthree\n\nfour');
});

test('the summary is read from numbers and texts, and has no average without reviews', () => {
  expect(summaryFrom({ Rating: '4.20', review_count: 5 })).toEqual({ average: 4.2, count: 5 });
  expect(summaryFrom({ Rating: 4.75, review_count: '4' })).toEqual({ average: 4.75, count: 4 });
  expect(summaryFrom({ Rating: null, review_count: 0 })).toEqual({ average: null, count: 0 });
  expect(summaryFrom(undefined)).toEqual({ average: null, count: 0 });
});

test('a review more or less moves average and count', () => {
  expect(summaryWith({ average: null, count: 0 }, 4)).toEqual({ average: 4, count: 1 });
  expect(summaryWith({ average: 4, count: 1 }, 5)).toEqual({ average: 4.5, count: 2 });
  expect(summaryWithout({ average: 4.5, count: 2 }, 5)).toEqual({ average: 4, count: 1 });
  expect(summaryWithout({ average: 4, count: 1 }, 4)).toEqual({ average: null, count: 0 });
});
