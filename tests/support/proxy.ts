import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** The ports to try in order, or a handler that responds without a server. */
export type Route = (request: IncomingMessage) => number[] | ((request: Request) => Promise<Response>);

export type Proxy = { url: string; port: number; stop(): Promise<void> };

/**
 * A reverse proxy as in production: passes requests on unchanged, to the next port if a port refuses. A connection per
 * request, so that a node that stops is never sent anything on one it is closing.
 */
export async function startProxy(route: Route): Promise<Proxy> {
  const server = createServer({ maxHeaderSize: 256 * 1024, requestTimeout: 0 } as never, (request, response) => {
    const target = route(request);
    if (typeof target === 'function') void answer(request, response, target);
    else forward(request, response, target);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = route(request);
    if (typeof target === 'function') socket.destroy();
    else tunnel(request, socket, head, target);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse, [port, ...others]: number[]): void {
  const { method, url: path } = request;
  // Kept open until the answer is whole: a server that refuses a long body early would otherwise cut off its own answer.
  const headers = [...withoutConnection(request.rawHeaders), 'Connection', 'keep-alive'];
  const upstream = ask({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers,
    agent: new Agent(),
    maxHeaderSize: 256 * 1024,
  } as never);
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutConnection(answer.rawHeaders));
    answer.pipe(response);
    answer.on('end', () => upstream.destroy());
    answer.on('error', () => response.destroy());
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    const isRefused = error.code === 'ECONNREFUSED';
    if (isRefused && others.length > 0) return forward(request, response, others);
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'x-proxy-error': error.code ?? 'unknown' }).end();
  });
  response.on('close', () => upstream.destroy());
  // Only once the connection is accepted: a body can be read once.
  upstream.on('socket', (socket) => socket.once('connect', () => request.pipe(upstream)));
}

/** Each connection has its own: how long the shop keeps one says nothing of ours. */
function withoutConnection(raw: string[]): string[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !/^(connection|keep-alive)$/i.test(name) ? [name, raw[index + 1] as string] : [],
  );
}

function tunnel(request: IncomingMessage, socket: Duplex, head: Buffer, [port = 0]: number[]): void {
  const upstream = connect(port, '127.0.0.1', () => {
    const { method, url, rawHeaders } = request;
    const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
    upstream.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy());
  socket.on('close', () => upstream.destroy());
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  handler: (request: Request) => Promise<Response>,
): Promise<void> {
  const aborted = new AbortController();
  response.on('close', () => aborted.abort());
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', headers, url } = incoming;
    const request = new Request(`http://${headers.host ?? 'localhost'}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ...(chunks.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body: Buffer.concat(chunks) } : {}),
      signal: aborted.signal,
    });
    const answered = await handler(request);
    const body = Buffer.from(await answered.arrayBuffer());
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(body);
  } catch {
    response.destroy();
  }
}

/** A free port: for an address that is needed before the server listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
