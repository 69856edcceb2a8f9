// The baseline of a cached page: the same bytes from a bare node:http server, in a process of its own as the shop is.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.once('message', ({ body, headers }: { body: string; headers: Record<string, string> }) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
