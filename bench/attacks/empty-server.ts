// A server that does no work, in a process of its own: what others notice while a load generator runs against it is the load
// generator's doing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type EmptyServerOptions = { bytes: number; closesAtOnce: boolean };

process.once('message', ({ bytes, closesAtOnce }: EmptyServerOptions) => {
  const body = Buffer.alloc(bytes, 32);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-length': body.length }).end(body);
  });
  if (closesAtOnce) server.on('connection', (socket) => socket.destroy());
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
