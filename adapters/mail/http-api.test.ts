import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMailer } from './create-mailer.ts';
import { createHttpApiMailer } from './http-api.ts';
import { type Mail, MailError } from './mail.ts';

const mail: Mail = {
  to: { address: 'asha@example.com', name: 'Asha Rao' },
  subject: 'We have your order 1042',
  html: '<p>नमस्ते</p>',
  text: 'नमस्ते',
  key: 'order-placed:1042',
};
let server: Server;
let requests: { method: string; url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[];
let respond: (response: ServerResponse) => void;
beforeEach(async () => {
  requests = [];
  respond = (response) => response.end('{"id":"1"}');
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: JSON.parse(body) as Record<string, unknown> });
    respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const mailer = (credentials = ':re_123%2F4', timeoutMs = 1000) =>
  createHttpApiMailer({
    url: `http://${credentials}@127.0.0.1:${(server.address() as AddressInfo).port}/emails?region=in`,
    from: 'Mithaas <orders@mithaas.example>',
    timeoutMs,
  });

describe('an email', () => {
  test('is posted in the shape that Resend takes', async () => {
    await mailer().send(mail);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: '/emails?region=in',
      headers: {
        authorization: 'Bearer re_123/4',
        'idempotency-key': 'order-placed:1042',
        'content-type': 'application/json',
      },
    });
    expect(requests[0]?.body).toEqual({
      from: 'Mithaas <orders@mithaas.example>',
      to: ['Asha Rao <asha@example.com>'],
      subject: 'We have your order 1042',
      html: '<p>नमस्ते</p>',
      text: 'नमस्ते',
    });
  });

  test('that can be stopped says where, for mail programs', async () => {
    const unsubscribeUrl = 'https://mithaas.example/unsubscribe?token=a.b';
    await mailer().send({ ...mail, unsubscribeUrl });
    expect(requests[0]?.body).toMatchObject({
      headers: {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
  });

  test('takes the key from the user name too', async () => {
    await mailer('re_abc').send(mail);
    expect(requests[0]?.headers.authorization).toBe('Bearer re_abc');
  });

  test.each([
    [null, 'asha@example.com'],
    [' ', 'asha@example.com'],
    ['Rao, Asha" <evil@example.com>', 'Rao Asha evil example.com <asha@example.com>'],
    ['Asha\r\nBcc: x@example.com', 'Asha Bcc x example.com <asha@example.com>'],
    ['अनुष्का शर्मा 🎉', 'अनुष्का शर्मा 🎉 <asha@example.com>'],
  ])('a recipient called %j is one recipient', async (name, recipient) => {
    await mailer().send({ ...mail, to: { ...mail.to, name } });
    expect(requests[0]?.body.to).toEqual([recipient]);
  });

  test('without an address to send to is refused at once', async () => {
    await expect(mailer().send({ ...mail, to: { address: 'a@b, c@d', name: null } })).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(requests).toEqual([]);
  });

  test.each(['', 'two words', 'ünique', 'a\r\nb', 'x'.repeat(257)])(
    'with the key %j is a mistake of ours',
    async (key) => {
      await expect(mailer().send({ ...mail, key })).rejects.toThrow(RangeError);
    },
  );
});

describe('a failure', () => {
  test.each<[number, MailError['kind']]>([
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [302, 'unavailable'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
    [405, 'unavailable'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [400, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
  ])('%i means %s', async (status, kind) => {
    respond = (response) =>
      response
        .writeHead(status, { location: 'https://elsewhere.example/' })
        .end('{"message":"asha@example.com is bad"}');
    const error = (await mailer()
      .send(mail)
      .catch((reason: unknown) => reason)) as MailError;
    expect(error).toBeInstanceOf(MailError);
    expect(error.kind).toBe(kind);
    expect(error.message).toBe(`mail API: ${status}`);
  });

  test('a service that times out or disconnects is retried later', async () => {
    respond = () => {};
    await expect(mailer(undefined, 150).send(mail)).rejects.toMatchObject({ kind: 'unavailable' });
    respond = (response) => response.destroy();
    await expect(mailer().send(mail)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test('the address chooses the mailer', async () => {
  const from = 'orders@mithaas.example';
  for (const url of ['smtp://127.0.0.1:1', 'smtps://127.0.0.1:1', 'https://key@127.0.0.1:1/emails'])
    await expect(createMailer({ url, from }).send(mail)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(url.startsWith('smtp') ? /^smtp / : /^mail API: /),
    });
  expect(() => createMailer({ url: 'http://key@127.0.0.1/', from })).toThrow(RangeError);
});
