export type Mail = {
  to: { address: string; name: string | null };
  subject: string;
  html: string;
  text: string;
  /** The same key is the same mail: providers that can, send it once. Printable ASCII, at most 256 characters. */
  key: string;
  /** Where such mails can be stopped, without a login: mail programs show it as a button (RFC 8058). */
  unsubscribeUrl?: string;
};

export type Mailer = { send(mail: Mail): Promise<void> };

/** Expected failures: 'unavailable' (try later) or 'refused' (the address or message will never be accepted). */
export class MailError extends Error {
  readonly kind: 'unavailable' | 'refused';

  /** The message goes into logs: it never quotes the mail or the server's response. */
  constructor(kind: 'unavailable' | 'refused', message: string) {
    super(message);
    this.name = 'MailError';
    this.kind = kind;
  }
}

// Stricter than the standard: quoted local parts and comments have led parsers to other recipients than meant.
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,255}$/u;

/** What every mailer sends: names and subjects that are one line, and an address that is exactly one address. */
export function sendable(mail: Mail): Mail {
  if (!/^[\x21-\x7e]{1,256}$/.test(mail.key)) throw new RangeError('a mail needs a key of printable ASCII');
  if (!plainAddress.test(mail.to.address)) throw new MailError('refused', 'the recipient is not an e-mail address');
  return {
    to: { address: mail.to.address, name: oneLine(mail.to.name ?? '') || null },
    subject: oneLine(mail.subject),
    html: mail.html.replaceAll('\0', ''),
    text: mail.text.replaceAll('\0', ''),
    key: mail.key,
    ...(mail.unsubscribeUrl ? { unsubscribeUrl: new URL(mail.unsubscribeUrl).href } : {}),
  };
}

/** What tells mail programs and providers how to stop such mails with one press. */
export function unsubscribeHeaders({ unsubscribeUrl }: Pick<Mail, 'unsubscribeUrl'>): Record<string, string> {
  if (!unsubscribeUrl) return {};
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
