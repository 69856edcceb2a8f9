import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpMessenger } from './http-api.ts';
import { describeMessenger, exampleMessage } from './messenger.contract.ts';
import { type Message, MessageError } from './messenger.ts';

type Taken = { url: string; headers: IncomingHttpHeaders; body: Omit<Message, 'key'> & { language: string } };

/** A service that sends a key once. */
async function startService() {
  const requests: Taken[] = [];
  let respond: (response: ServerResponse) => unknown = (response) => response.end('{"id":"1"}');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(body) as Taken['body'] });
    respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/send?region=in`,
    answer: (how: typeof respond) => {
      respond = how;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const token = 'a-token-of-the-service';

describeMessenger('the HTTP API', async () => {
  const service = await startService();
  const sentKeys = new Set<string>();
  let sent: Omit<Message, 'key'>[] = [];
  const take = () => {
    const last = service.requests.at(-1);
    const key = String(last?.headers['idempotency-key']);
    if (!last || sentKeys.has(key)) return;
    sentKeys.add(key);
    const { language, ...message } = last.body;
    expect(language).toBe('en');
    sent.push(message);
  };
  const ok = (response: ServerResponse) => {
    take();
    response.end('{}');
  };
  service.answer(ok);
  return {
    messenger: createHttpMessenger({ url: service.url, token, timeoutMs: 2000 }),
    received: async () => sent,
    reset: async () => {
      sent = [];
      sentKeys.clear();
    },
    setAway: async (isAway) => service.answer(isAway ? (response) => response.writeHead(503).end() : ok),
    close: async () => service.stop(),
  };
});

describe('a request', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());
  const failure = async (timeoutMs = 2000) => {
    const error = await createHttpMessenger({ url: service.url, token, timeoutMs })
      .send(exampleMessage())
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MessageError);
    return error as MessageError;
  };

  test('carries the token, the key and the registered template', async () => {
    await createHttpMessenger({ url: service.url, token }).send(exampleMessage());
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({
      url: '/v1/send?region=in',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': 'sms:event:7',
        'content-type': 'application/json',
      },
      body: { channel: 'sms', to: '+919820012345', template: 'order_placed', language: 'en' },
    });
  });

  test.each<[number, MessageError['kind']]>([
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [302, 'unavailable'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [400, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
  ])('answered with %i is %s, and its error says nothing personal', async (status, kind) => {
    service.answer((response) =>
      response.writeHead(status, { location: 'https://elsewhere.example/' }).end('+919820012345 is bad'),
    );
    expect(await failure()).toMatchObject({ kind, message: `message API: ${status}` });
    expect(service.requests).toHaveLength(1);
  });

  test('that is not answered, or broken off, is tried again later', async () => {
    service.answer(() => {});
    expect((await failure(150)).kind).toBe('unavailable');
    service.answer((response) => response.destroy());
    expect((await failure()).kind).toBe('unavailable');
  });
});
