import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaderLines } from './security-headers.ts';

/** Longer than proxies keep an unused connection (nginx 60 s, Caddy 120 s), or they send a request into its end. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 125_000;
/** A proxy has few connections, the public has many, and each idle one takes memory. */
const KEEP_ALIVE_MS = 5_000;

type HttpServerOptions = { trustProxy: boolean; isOnHttps(): boolean };

/** An HTTP server with our limits, which refuses in our own words what Node could not parse. */
export function createHttpServer({ trustProxy, isOnHttps }: HttpServerOptions, listener: RequestListener): Server {
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000, // from the first byte of a request on: no limit for connections that wait for one
      keepAliveTimeout: trustProxy ? KEEP_ALIVE_BEHIND_PROXY_MS : KEEP_ALIVE_MS,
      // Room for a search of ten thousand Devanagari characters; the results are those of its beginning.
      maxHeaderSize: 128 * 1024,
      // An offer of HTTP/2 (h2c) is ignored, and the response is HTTP/1.1, as the standard has it.
      shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    listener,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy(error);
    else endWithStatus(socket, statusOfParseError[error.code ?? ''] ?? 400, isOnHttps());
  });
  return server;
}

/** What Node itself would send; everything else is a 400. */
const statusOfParseError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A whole response on a bare socket, and the end of its connection. */
export function endWithStatus(socket: Duplex, status: number, https: boolean): void {
  const sentence = status === 431 ? 'This address is too long.' : (STATUS_CODES[status] ?? '');
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${sentence.length}`,
  ];
  socket.end([...head, ...securityHeaderLines({ https }), '', sentence].join('\r\n'));
}
