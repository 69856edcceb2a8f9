import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What the server says or does instead of the usual answer to a command ('CONNECT': the greeting, '.': the whole mail). */
export type SmtpBehaviour = Record<string, string | 'hang' | 'drop'>;

export type SmtpServer = {
  port: number;
  /** Each mail taken, as it came over the wire, without the dots of transparency. */
  mails: { from: string; to: string[]; data: string }[];
  /** Every command line, in order. */
  commands: string[];
  firstBytes: number[];
  connections(): number;
  behave(behaviour: SmtpBehaviour): void;
  stop(): Promise<void>;
};

export type SmtpOptions = { onMail?(mail: SmtpServer['mails'][number]): Promise<void> };

const usual: Record<string, string> = {
  CONNECT: '220 test.example ESMTP',
  EHLO: '250-test.example\r\n250-AUTH PLAIN\r\n250-SIZE 1000000\r\n250 8BITMIME',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 sender ok',
  RCPT: '250 2.1.5 recipient ok',
  DATA: '354 go on',
  '.': '250 2.0.0 queued',
  RSET: '250 2.0.0 ok',
  QUIT: '221 2.0.0 bye',
};

/** A real, small SMTP server that can be made to misbehave. */
export async function startSmtpServer({ onMail }: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: SmtpServer['mails'] = [];
  const commands: string[] = [];
  const firstBytes: number[] = [];
  const sockets = new Set<Socket>();
  let behaviour: SmtpBehaviour = {};

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let input = '';
    let isData = false;
    let envelope = { from: '', to: [] as string[] };

    const answer = (verb: string) => {
      const reply = behaviour[verb] ?? usual[verb] ?? '502 5.5.1 unknown command';
      if (reply === 'drop') socket.destroy();
      else if (reply !== 'hang') socket.write(`${reply}\r\n`);
      return /^[23]/.test(reply);
    };
    const command = (line: string) => {
      const verb = (/^[A-Za-z]+/.exec(line)?.[0] ?? '').toUpperCase();
      commands.push(line);
      const isAccepted = answer(verb);
      if (verb === 'MAIL') envelope = { from: /<(.*)>/.exec(line)?.[1] ?? '', to: [] };
      if (verb === 'RCPT' && isAccepted) envelope.to.push(/<(.*)>/.exec(line)?.[1] ?? '');
      if (verb === 'DATA') isData = isAccepted;
      if (verb === 'QUIT') socket.end();
    };
    answer('CONNECT');
    socket.once('data', (chunk) => firstBytes.push(chunk[0] ?? -1));
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
      for (;;) {
        const end = isData ? input.indexOf('\r\n.\r\n') : input.indexOf('\r\n');
        if (end < 0) return;
        const text = input.slice(0, end);
        input = input.slice(end + (isData ? 5 : 2));
        if (!isData) command(text);
        else {
          isData = false;
          if (!answer('.')) continue;
          const mail = { ...envelope, data: text.replace(/^\.\./gm, '.') };
          mails.push(mail);
          void onMail?.(mail);
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    commands,
    firstBytes,
    connections: () => sockets.size,
    behave(next) {
      behaviour = next;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
