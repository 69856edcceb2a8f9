import { MessageError, type Messenger, sendableMessage } from './messenger.ts';

export type HttpMessengerOptions = { url: string; token: string; timeoutMs?: number };

/**
 * Sends over a service's HTTP API: a POST with channel, recipient, registered template, its parameters and the whole text as JSON. The
 * header idempotency-key lets the service send a repeated request once. Services with another shape are reached through a gateway of
 * this one.
 */
export function createHttpMessenger({ url, token, timeoutMs = 10_000 }: HttpMessengerOptions): Messenger {
  const endpoint = new URL(url);
  return {
    async send(message) {
      const { key, ...body } = sendableMessage(message);
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ ...body, language: 'en' }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: Error) => {
        throw new MessageError('unavailable', `message API: ${error.name}`);
      });
      await response.body?.cancel().catch(() => {});
      if (!response.ok)
        throw new MessageError(
          isPermanent(response.status) ? 'refused' : 'unavailable',
          `message API: ${response.status}`,
        );
    },
  };
}

/** Only errors about this message are permanent; a wrong key (401, 403) or address (404, 405) is our configuration error. */
function isPermanent(status: number): boolean {
  return [400, 413, 422].includes(status);
}
