import { expect, test } from 'vitest';
import { describeSecurityEvent, securityEventGroups, securityEventKinds } from './describe-security-event.ts';

test('every kind has words of its own and can be filtered by', () => {
  const facts = { person: 'Meena', subject: 'Ravi', detail: '' };
  const titles = securityEventKinds.map((kind) => describeSecurityEvent({ kind, ...facts }).title);
  expect(new Set(titles).size).toBe(securityEventKinds.length);
  expect(securityEventGroups.flatMap(({ kinds }) => kinds).sort()).toEqual([...securityEventKinds].sort());
});

test('names the actor and the person, and works when both are unknown', () => {
  expect(describeSecurityEvent({ kind: 'customer-blocked', person: 'Asha', subject: 'Ravi', detail: '' })).toEqual({
    title: 'Ravi was blocked',
    explanation: 'By Asha.',
    isWarning: false,
  });
  expect(describeSecurityEvent({ kind: 'administrator-added', person: null, subject: null, detail: '' })).toEqual({
    title: 'A deleted account became an administrator',
    explanation: 'On the server, not in the console.',
    isWarning: true,
  });
  const loggedOut = { kind: 'logged-out-everywhere', detail: '' } as const;
  expect(describeSecurityEvent({ ...loggedOut, person: 'Meena', subject: null }).title).toBe(
    'Meena logged out everywhere',
  );
  expect(describeSecurityEvent({ ...loggedOut, person: 'Asha', subject: 'Ravi' })).toMatchObject({
    title: 'Ravi was logged out everywhere',
    explanation: 'By Asha.',
  });
  const refused = { kind: 'console-refused', person: null, subject: null, detail: 'admin_read_log' } as const;
  expect(describeSecurityEvent(refused).explanation).toBe('Not an administrator, so it was refused (admin_read_log).');
});
