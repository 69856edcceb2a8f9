import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SmtpBehaviour, type SmtpServer, startSmtpServer } from '../../tests/support/smtp-server.ts';
import { type Mail, MailError } from './mail.ts';
import { createSmtpMailer } from './smtp.ts';

const mail: Mail = {
  to: { address: 'asha@example.com', name: 'Asha Rao' },
  subject: 'We have your order 1042',
  html: '<p>नमस्ते, ₹1,299.50</p>',
  text: 'नमस्ते, ₹1,299.50\n.\nend',
  key: 'order-placed:1042',
};
let server: SmtpServer;
beforeEach(async () => {
  server = await startSmtpServer();
});
afterEach(() => server.stop());

const mailer = (address = `smtp://127.0.0.1:${server.port}`, timeoutMs = 1000) =>
  createSmtpMailer({ url: address, from: 'Mithaas <orders@mithaas.example>', timeoutMs });
const sendWith = async (behaviour: SmtpBehaviour, timeoutMs?: number): Promise<MailError> => {
  server.behave(behaviour);
  const error = await mailer(undefined, timeoutMs)
    .send(mail)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MailError);
  return error as MailError;
};
const headersOf = (data: string) => data.slice(0, data.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
const headerOf = (data: string, name: string) =>
  headersOf(data)
    .split('\r\n')
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    .map((line) => line.slice(name.length + 2));

describe('an email', () => {
  test('arrives complete: sender, recipient, subject, both parts', async () => {
    await mailer().send(mail);
    const [sent] = server.mails;
    expect(sent).toMatchObject({ from: 'orders@mithaas.example', to: ['asha@example.com'] });
    const data = sent?.data ?? '';
    expect(headerOf(data, 'From')).toEqual(['Mithaas <orders@mithaas.example>']);
    expect(headerOf(data, 'To')).toEqual(['Asha Rao <asha@example.com>']);
    expect(headerOf(data, 'Subject')).toEqual(['We have your order 1042']);
    expect(headerOf(data, 'Auto-Submitted')).toEqual(['auto-generated']);
    expect(headerOf(data, 'Content-Type')[0]).toMatch(/^multipart\/alternative/);
    expect(partOf(data, 'text/plain')).toBe(mail.text);
    expect(partOf(data, 'text/html')).toBe(mail.html);
    await expect.poll(() => server.connections()).toBe(0);
  });

  test('that can be stopped says where, for mail programs; any other does not', async () => {
    const unsubscribeUrl = 'https://mithaas.example/unsubscribe?token=a.b';
    await mailer().send({ ...mail, unsubscribeUrl });
    await mailer().send(mail);
    const [stoppable, other] = server.mails.map(({ data }) => data);
    expect(headerOf(stoppable ?? '', 'List-Unsubscribe')).toEqual([`<${unsubscribeUrl}>`]);
    expect(headerOf(stoppable ?? '', 'List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click']);
    expect(headerOf(other ?? '', 'List-Unsubscribe')).toEqual([]);
  });

  test('has the same Message-ID for the same key, and another for another', async () => {
    for (const key of ['a:1', 'a:1', 'a:2']) await mailer().send({ ...mail, key });
    const [one, again, other] = server.mails.map(({ data }) => headerOf(data, 'Message-ID')[0]);
    expect(one).toMatch(/^<[0-9a-f]{32}@mithaas\.example>$/);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test.each([
    'Asha\r\nBcc: everybody@example.com',
    'Asha\nX-Evil: 1\n\n<script>',
    'Asha\u2028Bcc: x@example.com',
    'Asha" <evil@example.com>, "x',
    'अनुष्का\r\n शर्मा',
    `${'long '.repeat(300)}\r\nBcc: x@example.com`,
  ])('to a name or with a subject like %j has no header but ours and no other recipient', async (text) => {
    await mailer().send({ ...mail, to: { ...mail.to, name: text }, subject: text });
    const [sent] = server.mails;
    expect(sent?.to).toEqual(['asha@example.com']);
    const names = headersOf(sent?.data ?? '')
      .split('\r\n')
      .map((line) => line.split(':')[0]);
    expect(new Set(names)).toEqual(
      new Set(['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type', 'Auto-Submitted']),
    );
    expect(names.length).toBe(8);
  });

  test.each([
    '',
    'asha',
    'a@b@c',
    'a b@example.com',
    'a@example.com, b@example.com',
    '<a@example.com>',
    '"a@x.org b"@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
  ])('to %j is refused before anybody is called', async (address) => {
    await expect(mailer().send({ ...mail, to: { address, name: null } })).rejects.toMatchObject({ kind: 'refused' });
    expect(server.commands).toEqual([]);
  });
});

describe('a failure', () => {
  test.each<[SmtpBehaviour, MailError['kind']]>([
    [{ CONNECT: '421 4.3.2 closing' }, 'unavailable'],
    [{ CONNECT: '554 5.3.2 not today' }, 'unavailable'],
    [{ EHLO: '550 5.0.0 no', HELO: '550 5.0.0 no' }, 'unavailable'],
    [{ MAIL: '451 4.3.0 later' }, 'unavailable'],
    [{ MAIL: '550 5.7.1 this sender is not yours' }, 'unavailable'],
    [{ RCPT: '450 4.2.1 greylisted' }, 'unavailable'],
    [{ RCPT: '452 4.2.2 mailbox full' }, 'unavailable'],
    [{ RCPT: '550 5.1.1 no such user asha@example.com' }, 'refused'],
    [{ RCPT: '553 5.1.3 bad address' }, 'refused'],
    [{ DATA: '451 4.3.0 later' }, 'unavailable'],
    [{ '.': '452 4.3.1 no space' }, 'unavailable'],
    [{ '.': '554 5.6.0 we do not like it' }, 'refused'],
    [{ CONNECT: 'drop' }, 'unavailable'],
    [{ RCPT: 'drop' }, 'unavailable'],
    [{ DATA: 'drop' }, 'unavailable'],
    [{ '.': 'drop' }, 'unavailable'],
    [{ CONNECT: 'nonsense' }, 'unavailable'],
  ])('%j means %s', async (behaviour, kind) => {
    const error = await sendWith(behaviour);
    expect(error.kind).toBe(kind);
    expect(server.mails).toEqual([]);
  });

  test.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'])(
    'a server that falls silent at %s is given up',
    async (step) => {
      const started = performance.now();
      expect((await sendWith({ [step]: 'hang' }, 200)).kind).toBe('unavailable');
      expect(performance.now() - started).toBeLessThan(3000);
    },
  );

  test('a server that does not listen is retried later', async () => {
    await server.stop();
    const error = await mailer()
      .send(mail)
      .catch((reason: unknown) => reason);
    server = await startSmtpServer();
    expect(error).toMatchObject({ kind: 'unavailable' });
  });

  test('is described without anything personal', async () => {
    const error = await sendWith({ RCPT: '550 5.1.1 no such user asha@example.com' });
    expect(error.message).toBe('smtp EENVELOPE 550 RCPT TO');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('asha');
  });

  test('does not stop the next mail', async () => {
    await sendWith({ RCPT: 'drop' });
    server.behave({});
    await mailer().send(mail);
    expect(server.mails).toHaveLength(1);
  });
});

describe('the password', () => {
  const withPassword = (host: string) => `smtp://shop%40example.com:p%40ss%3Aword@${host}:${server.port}`;

  test('goes to a server on this machine as it stands in the address', async () => {
    await mailer(withPassword('127.0.0.1')).send(mail);
    const [, , token = ''] = server.commands.find((line) => line.startsWith('AUTH'))?.split(' ') ?? [];
    expect(Buffer.from(token, 'base64').toString()).toBe('\0shop@example.com\0p@ss:word');
  });

  test('a rejected login is retried, because it is a configuration error', async () => {
    server.behave({ AUTH: '535 5.7.8 wrong password' });
    await expect(mailer(withPassword('127.0.0.1')).send(mail)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('never goes to another machine without encryption', async () => {
    // 0.0.0.0 leads here too, but is not known as this machine.
    await expect(mailer(withPassword('0.0.0.0')).send(mail)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(mailer(`${withPassword('0.0.0.0')}/?tls=optional`).send(mail)).rejects.toThrow('no TLS');
    expect(server.commands.some((line) => line.startsWith('AUTH'))).toBe(false);
    expect(server.mails).toEqual([]);
  });
});

describe('encryption', () => {
  test('is demanded of another machine, also without a password, unless the address says otherwise', async () => {
    const elsewhere = `smtp://0.0.0.0:${server.port}`;
    await expect(mailer(elsewhere).send(mail)).rejects.toThrow('no TLS: see MAIL_URL');
    expect(server.commands.some((line) => /^(MAIL|RCPT|DATA)/.test(line))).toBe(false);
    await mailer(`${elsewhere}/?tls=optional`).send(mail);
    expect(server.mails).toHaveLength(1);
  });

  test('is taken when offered, and when it fails nothing is sent without', async () => {
    server.behave({ EHLO: '250-test.example\r\n250 STARTTLS', STARTTLS: '220 go on' });
    await expect(mailer().send(mail)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(server.commands[1]).toBe('STARTTLS');
    expect(server.commands.some((line) => /^(MAIL|RCPT|AUTH)/.test(line))).toBe(false);
  });

  test('comes first with smtps', async () => {
    server.behave({ CONNECT: 'hang' });
    await expect(mailer(`smtps://127.0.0.1:${server.port}`, 300).send(mail)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(server.firstBytes).toEqual([0x16]); // the start of a TLS handshake
  });
});

/** One part of a multipart mail, decoded. */
function partOf(data: string, type: string): string {
  const boundary = /boundary="([^"]+)"/.exec(data)?.[1] ?? '';
  const part = data.split(`--${boundary}`).find((piece) => piece.includes(`Content-Type: ${type}`)) ?? '';
  const body = part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '');
  const bytes = part.includes('base64')
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}
