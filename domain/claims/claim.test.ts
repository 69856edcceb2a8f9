import { expect, test } from 'vitest';
import { complainTo, exactMoment, problemsFor, windowEnded } from './claim.ts';
import { dueWords } from './claim-clock.ts';
import { unitShare } from './refund-share.ts';

const contact = {
  name: 'Nandini Kamat',
  email: 'grievance@mithaas.example',
  phone: '+919000000099',
  hours: '10 am to 6 pm',
};

test('a window that is over is named to the second, with whom to complain to', () => {
  expect(exactMoment('2026-11-19 10:15:10+00')).toBe('19 Nov 2026, 3:45:10 pm IST');
  expect(windowEnded('2026-11-19T10:15:10Z', contact)).toBe(
    'Problems can be reported until 24 hours after delivery. For this order that ended on 19 Nov 2026, 3:45:10 pm IST. You can still complain to our grievance officer, Nandini Kamat: grievance@mithaas.example or +91 90000 00099 (10 am to 6 pm).',
  );
  expect(complainTo({ name: '', email: '', phone: '', hours: '' })).toBe(
    'You can still complain to our grievance officer.',
  );
});

test('a late order can only be reported as not delivered, and one that is collected never', () => {
  expect(problemsFor('late', 'delivery')).toEqual(['not-delivered']);
  expect(problemsFor('open', 'delivery')).toContain('not-delivered');
  expect(problemsFor('open', 'pickup')).not.toContain('not-delivered');
});

test('units of a line add up to the line, in whatever steps', () => {
  expect([0, 1, 2].map((before) => unitShare(100, 3, before, 1))).toEqual([33, 34, 33]);
  expect(unitShare(100, 3, 0, 3)).toBe(100);
  expect(unitShare(5, 2, 0, 1) + unitShare(5, 2, 1, 1)).toBe(5);
});

test('what is due says its day or time, and what is overdue says so', () => {
  const now = new Date('2026-11-18T06:00:00Z');
  expect(dueWords('2026-11-20T12:00:00Z', now)).toBe('by Fri, 20 Nov, 5:30 pm');
  expect(dueWords('2026-11-20T18:30:00Z', now)).toBe('by Fri, 20 Nov');
  expect(dueWords('2026-11-17T18:30:00Z', now)).toBe('overdue, was due on Tue, 17 Nov');
  expect(dueWords('2026-11-18T06:00:00Z', now)).toBe('overdue, was due by Wed, 18 Nov, 11:30 am');
});
