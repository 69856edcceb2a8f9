import { createHttpApiMailer } from './http-api.ts';
import type { Mailer } from './mail.ts';
import { createSmtpMailer } from './smtp.ts';

/** The mailer for an address: smtp, smtps or https. */
export function createMailer(options: { url: string; from: string }): Mailer {
  const { protocol } = new URL(options.url);
  if (protocol === 'https:') return createHttpApiMailer(options);
  if (protocol === 'smtp:' || protocol === 'smtps:') return createSmtpMailer(options);
  throw new RangeError(`mail cannot be sent over ${protocol}`);
}
