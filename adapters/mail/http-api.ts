import { MailError, type Mailer, sendable, unsubscribeHeaders } from './mail.ts';

export type HttpApiMailerOptions = {
  /** The address that takes mails, with the key as its password or user name: https://:key@api.example.com/emails */
  url: string;
  from: string;
  timeoutMs?: number;
};

/** Sends over the HTTP API of Resend and the services that speak like it. */
export function createHttpApiMailer({ url, from, timeoutMs = 10_000 }: HttpApiMailerOptions): Mailer {
  const endpoint = new URL(url);
  const apiKey = decodeURIComponent(endpoint.password || endpoint.username);
  endpoint.username = '';
  endpoint.password = '';
  return {
    async send(mail) {
      const { to, subject, html, text, key, ...rest } = sendable(mail);
      const headers = unsubscribeHeaders(rest);
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({
          from,
          to: [recipient(to)],
          subject,
          html,
          text,
          ...(Object.keys(headers).length > 0 ? { headers } : {}),
        }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: Error) => {
        throw new MailError('unavailable', `mail API: ${error.name}`);
      });
      await response.body?.cancel().catch(() => {});
      if (!response.ok) {
        throw new MailError(isPermanent(response.status) ? 'refused' : 'unavailable', `mail API: ${response.status}`);
      }
    },
  };
}

/** The name without the characters that would need quoting: not every service reads quotes as the standard has them. */
function recipient({ address, name }: { address: string; name: string | null }): string {
  const plainName = (name ?? '').replace(/[\s<>()[\]\\,;:"@]+/g, ' ').trim();
  return plainName ? `${plainName} <${address}>` : address;
}

/** Only errors about this message are permanent; a wrong key (401, 403) or service address (404, 405) is our configuration error. */
function isPermanent(status: number): boolean {
  return [400, 413, 422].includes(status);
}
