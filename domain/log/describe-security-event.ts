export const securityEventKinds = [
  'signed-in',
  'sign-in-failed',
  'sign-in-refused',
  'sign-in-limited',
  'token-reused',
  'code-reused',
  'logged-out',
  'session-ended',
  'logged-out-everywhere',
  'console-refused',
  'administrator-added',
  'administrator-removed',
  'customer-blocked',
  'customer-unblocked',
  'secret-changed',
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

/** Groups that an owner filters by. */
export const securityEventGroups = [
  { key: 'sign-ins', title: 'Logins', kinds: ['signed-in'] },
  {
    key: 'failures',
    title: 'Failed or refused logins',
    kinds: ['sign-in-failed', 'sign-in-refused', 'sign-in-limited'],
  },
  { key: 'logouts', title: 'Logouts', kinds: ['logged-out', 'session-ended', 'logged-out-everywhere'] },
  { key: 'warnings', title: 'Possible break-ins', kinds: ['token-reused', 'code-reused', 'console-refused'] },
  {
    key: 'people',
    title: 'Administrators and blocked customers',
    kinds: ['administrator-added', 'administrator-removed', 'customer-blocked', 'customer-unblocked'],
  },
  { key: 'settings', title: 'Keys and secrets', kinds: ['secret-changed'] },
] as const satisfies readonly { key: string; title: string; kinds: readonly SecurityEventKind[] }[];

export type SecurityEventFacts = {
  kind: SecurityEventKind;
  person: string | null;
  subject: string | null;
  detail: string;
};

type Described = { title: string; explanation: string | null; isWarning: boolean };

const plain = (title: string, explanation: string | null = null): Described => ({
  title,
  explanation,
  isWarning: false,
});
const warning = (title: string, explanation: string): Described => ({ title, explanation, isWarning: true });

/** A security event in the words of somebody who runs a shop: what happened, and what it means if it means something. */
export function describeSecurityEvent({ kind, person, subject, detail }: SecurityEventFacts): Described {
  const who = person ?? 'Somebody who is not logged in';
  const whom = subject ?? 'Somebody whose account is gone';
  switch (kind) {
    case 'signed-in':
      return plain(`${who} logged in`);
    case 'sign-in-failed':
      return plain('A login did not work', 'The login page was left, or its answer was used twice or too late.');
    case 'sign-in-refused':
      return warning('Tried to log in another way', 'Only the login with Google is open here. Nothing was let in.');
    case 'sign-in-limited':
      return warning('Too many logins from one address', 'More than 60 in a minute; the rest were turned away.');
    case 'token-reused':
      return warning(
        `${who} was logged out: a login was used in two places`,
        'Somebody may have copied it. That login was ended on every device that used it.',
      );
    case 'code-reused':
      return warning(
        `${who} was logged out: the same login was opened twice`,
        'Somebody may have copied the address that the login page returned to. They can log in again.',
      );
    case 'logged-out':
      return plain(`${who} logged out`);
    case 'session-ended':
      return plain(`${who} logged out one of their devices`);
    case 'logged-out-everywhere':
      return subject === null
        ? plain(`${who} logged out everywhere`)
        : plain(`${subject} was logged out everywhere`, by(person));
    case 'console-refused':
      return warning(
        `${who} tried to open the console`,
        `Not an administrator, so it was refused${detail ? ` (${detail})` : ''}.`,
      );
    case 'administrator-added':
      return warning(`${whom} became an administrator`, by(person));
    case 'administrator-removed':
      return warning(`${whom} is no longer an administrator`, by(person));
    case 'customer-blocked':
      return plain(`${whom} was blocked`, by(person));
    case 'customer-unblocked':
      return plain(`${whom} was unblocked`, by(person));
    case 'secret-changed':
      return warning('A key of the shop was changed', `${detail}. ${by(person)}`);
  }
}

const by = (person: string | null) => (person ? `By ${person}.` : 'On the server, not in the console.');
