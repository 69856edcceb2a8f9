import { connect, createServer, type Socket } from 'node:net';

/** The login role of the service that each connection pool of the embedded backend plays (server/lite/lite.ts). */
const roles: Record<string, string> = { 'data-api': 'authenticator', 'sign-in': 'supabase_auth_admin' };

const PROTOCOL_3 = 196_608;

export type ServiceRoles = { address: string; stop(): Promise<void> };

/**
 * A proxy before the PostgreSQL of a project: it logs the pools of the embedded backend in as the services of the platform
 * do. Their time limits are then the platform's, too: those of the role instead of those the backend asks for.
 */
export async function startServiceRoles(path: string): Promise<ServiceRoles> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(path);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('error', () => database.destroy());
    database.on('error', () => client.destroy());
    client.on('close', () => database.destroy());
    client.setNoDelay();
    let head = Buffer.alloc(0);
    const readHead = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      if (head.length < 8 || head.length < head.readInt32BE(0)) return;
      client.off('data', readHead);
      const length = head.readInt32BE(0);
      database.write(asService(head.subarray(0, length)));
      database.write(head.subarray(length));
      client.pipe(database).pipe(client);
    };
    client.on('data', readHead);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return {
    address: `postgresql://postgres:unused@127.0.0.1:${port}/postgres?sslmode=disable`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The first message of a connection, with the user changed where its application is one of the services. */
function asService(message: Buffer): Buffer {
  if (message.readInt32BE(4) !== PROTOCOL_3) return message; // breaks off a query
  const words = message.subarray(8).toString().split('\0');
  const settings = new Map<string, string>();
  for (let at = 0; words[at]; at += 2) settings.set(words[at] as string, words[at + 1] ?? '');
  const role = roles[settings.get('application_name') ?? ''];
  if (!role) return message;
  settings.set('user', role);
  settings.delete('statement_timeout');
  const body = Buffer.from(`${[...settings].flat().join('\0')}\0\0`);
  const header = Buffer.alloc(8);
  header.writeInt32BE(8 + body.length, 0);
  header.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([header, body]);
}
