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
  'customers-downloaded',
  'orders-downloaded',
  'documents-downloaded',
  'own-data-downloaded',
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
  { key: 'warnings', title: 'Suspicious activity', kinds: ['token-reused', 'code-reused', 'console-refused'] },
  {
    key: 'people',
    title: 'Administrators and blocked customers',
    kinds: ['administrator-added', 'administrator-removed', 'customer-blocked', 'customer-unblocked'],
  },
  {
    key: 'downloads',
    title: 'Downloads of customer data',
    kinds: ['customers-downloaded', 'orders-downloaded', 'documents-downloaded', 'own-data-downloaded'],
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

/** Describes a security event for the owner: what happened, and what it means. */
export function describeSecurityEvent({ kind, person, subject, detail }: SecurityEventFacts): Described {
  const who = person ?? 'A visitor who is not logged in';
  const whom = subject ?? 'A deleted account';
  switch (kind) {
    case 'signed-in':
      return plain(`${who} logged in`);
    case 'sign-in-failed':
      return plain('A login failed', 'The login page was closed, or its link was used twice or too late.');
    case 'sign-in-refused':
      return warning('Login by another method refused', 'Only Google login is allowed. Access was refused.');
    case 'sign-in-limited':
      return warning('Too many logins from one address', 'More than 60 in a minute; the rest were refused.');
    case 'token-reused':
      return warning(
        `${who} was logged out: a login was used in two places`,
        'Someone may have copied it. That login was ended on every device.',
      );
    case 'code-reused':
      return warning(
        `${who} was logged out: the same login was opened twice`,
        'Someone may have copied the login link. They can log in again.',
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
    case 'customers-downloaded':
      return plain(`${who} downloaded the list of customers`);
    case 'orders-downloaded':
      return plain(`${who} downloaded a list of orders`);
    case 'documents-downloaded':
      return plain(`${who} downloaded invoices`);
    case 'own-data-downloaded':
      return plain(`${who} downloaded their own data`);
  }
}

const by = (person: string | null) => (person ? `By ${person}.` : 'On the server, not in the console.');
