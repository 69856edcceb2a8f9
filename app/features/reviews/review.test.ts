import { expect, test } from 'vitest';
import {
  cleanComment,
  commentLength,
  isBlank,
  reviewFrom,
  shownComment,
  summaryFrom,
  summaryWith,
  summaryWithout,
} from './review.ts';

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
    is_verified: false,
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
    isVerified: false,
  });
  const edited = { ...row, author_name: 'Priya', updated_at: '2026-11-17 00:00:00+00', is_verified: true };
  expect(reviewFrom(edited)).toMatchObject({ author: 'Priya', edited: true, isVerified: true });
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
