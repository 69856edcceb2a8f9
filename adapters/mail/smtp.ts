import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import { MailError, type Mailer, sendable, unsubscribeHeaders } from './mail.ts';

export type SmtpMailerOptions = {
  /**
   * smtp:// (STARTTLS, which another machine has to offer) or smtps://, with user and password in it if the server wants them.
   * `?tls=optional` sends to a server without TLS on a private network, never a password.
   */
  url: string;
  from: string;
  timeoutMs?: number;
};

/** One connection a mail: the shop sends few, and none is left open to time out. */
export function createSmtpMailer({ url, from, timeoutMs = 10_000 }: SmtpMailerOptions): Mailer {
  const options = transportOptions(new URL(url), timeoutMs);
  return {
    async send(mail) {
      const { to, subject, html, text, key, ...rest } = sendable(mail);
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(options);
      try {
        await transport.sendMail({
          from,
          to: { address: to.address, name: to.name ?? '' },
          subject,
          html,
          text,
          messageId: await messageIdOf(key, from),
          // Stops automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(rest) },
        });
      } catch (error) {
        throw mailErrorOf(error as NodemailerError);
      } finally {
        transport.close();
      }
    },
  };
}

function transportOptions(url: URL, timeoutMs: number): SMTPTransportOptions {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const user = decodeURIComponent(url.username);
  return {
    host,
    secure: url.protocol === 'smtps:',
    ...(url.port ? { port: Number(url.port) } : {}),
    ...(user ? { auth: { user, pass: decodeURIComponent(url.password) } } : {}),
    // A man in the middle could hide the offer of STARTTLS, and read addresses, orders and the password.
    requireTLS: !isLocalhost(host) && (user !== '' || url.searchParams.get('tls') !== 'optional'),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
}

const isLocalhost = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host);

/** The same for the same key, so that a mail sent twice after a lost response can be recognised as one. */
async function messageIdOf(key: string, from: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
  const name = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return `<${name}@${domain}>`;
}

/** Only errors about this recipient or message are permanent; a rejected login or sender is our configuration error. */
function mailErrorOf({ code, command, responseCode, permanent }: NodemailerError): MailError {
  const isPermanent = permanent === true && (command === 'RCPT TO' || command === 'DATA');
  const noTls = code === 'ETLS' ? '(no TLS: see MAIL_URL in docs/deploy.md)' : '';
  const description = ['smtp', code, responseCode, command, noTls].filter(Boolean).join(' ');
  return new MailError(isPermanent ? 'refused' : 'unavailable', description);
}
