import { describe, expect, test } from 'vitest';
import { type Gift, giftErrors, noteLength, noteSize, tidiedGift } from './gift.ts';

const gift: Gift = { note: 'Happy Diwali, Nani!', motif: 'diwali', senderName: 'Meera', recipientEmail: '' };

test.each([
  '',
  'शुभ दीपावली, नानी!\nआपकी मीरा',
  'தீபாவளி நல்வாழ்த்துக்கள்',
  '🪔✨ with love 👨‍👩‍👧',
  'क'.repeat(300),
  '🪔'.repeat(300),
])('a note in any script may stand on the card', (note) => {
  expect(giftErrors({ ...gift, note })).toEqual({});
});

describe('is refused', () => {
  test.each([
    ['a note of 301 characters', { note: '🪔'.repeat(301) }, 'note', '300 characters'],
    ['a note of eleven lines', { note: `${'a\n'.repeat(10)}a` }, 'note', '10 lines'],
    ['a control character in the note', { note: 'ding\u0007' }, 'note', 'printed'],
    ['a NUL in the note', { note: 'a\0b' }, 'note', 'printed'],
    ['half a character in the note', { note: '\ud83e' }, 'note', 'printed'],
    ['text that is turned around', { note: 'a\u202eb' }, 'note', 'printed'],
    ['a missing sender', { senderName: '' }, 'senderName', 'name'],
    ['an invisible sender', { senderName: '\u200b' }, 'senderName', 'name'],
    ['a sender in two lines', { senderName: 'Meera\nRao' }, 'senderName', 'printed'],
    ['a sender of 61 characters', { senderName: 'x'.repeat(61) }, 'senderName', '60'],
    ['no email address', { recipientEmail: 'nani' }, 'recipientEmail', 'email'],
    ['two email addresses', { recipientEmail: 'a@b.in,c@d.in' }, 'recipientEmail', 'email'],
    ['a header in the email address', { recipientEmail: 'a@b.in\nBcc: c@d.in' }, 'recipientEmail', 'email'],
  ] as const)('%s', (_what, change, field, words) => {
    const errors = giftErrors({ ...gift, ...change });
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]).toContain(words);
  });
});

test('what people type is tidied before it is checked', () => {
  const typed = {
    ...gift,
    note: '  Dear Nani,\r\n\r\n\r\n\r\nlove\t',
    senderName: ' Meera \n Rao ',
    recipientEmail: ' a@b.in ',
  };
  expect(tidiedGift(typed)).toEqual({
    ...gift,
    note: 'Dear Nani,\n\nlove',
    senderName: 'Meera Rao',
    recipientEmail: 'a@b.in',
  });
});

test('characters are counted as code points', () => {
  expect(noteLength('🪔दी')).toBe(3);
});

test('a short note is printed large, a long one small', () => {
  expect(noteSize('Happy Diwali!')).toBe('large');
  expect(noteSize('x'.repeat(150))).toBe('medium');
  expect(noteSize('a\n'.repeat(8))).toBe('small');
  expect(noteSize('x'.repeat(300))).toBe('small');
  expect(noteSize('🪔'.repeat(300))).toBe('tiny');
  expect(noteSize(`${'x'.repeat(28)}\n`.repeat(10))).toBe('tiny');
});
