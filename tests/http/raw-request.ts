import { connect } from 'node:net';
import { expect, inject } from 'vitest';

export type RawRequest = {
  method?: string;
  /** As it stands in the request line: nothing tidies it up on the way, as fetch would. */
  target: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** A loopback address to send it from, other than the usual one. */
  from?: string;
};
/** `waitedMs`: until the first byte came. */
export type RawAnswer = { status: number; headers: Headers; body: string; waitedMs: number };

const ofTheBackend = /^\/(rest|auth|storage|functions|realtime)\/v1|^\/(demo-identity|demo-mail|test-payments)/;

/** Sends exactly these bytes, to whom browsers would send them. Status 0: the connection was closed without an answer. */
export function rawRequest(shopUrl: string, request: RawRequest): Promise<RawAnswer> {
  const isElsewhere = shopUrl === inject('shopUrl') && ofTheBackend.test(request.target);
  const { hostname, port, host } = new URL(isElsewhere ? inject('backendUrl') : shopUrl);
  const body = request.body === undefined ? null : Buffer.from(request.body);
  const headers = {
    Host: host,
    Connection: 'close',
    ...(body ? { 'Content-Length': String(body.length) } : {}),
    ...request.headers,
  };
  const head = [
    `${request.method ?? 'GET'} ${request.target} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let waitedMs = 0;
    const { from } = request;
    const socket = from
      ? connect({ port: Number(port), host: '127.0.0.1', localAddress: from })
      : connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.setTimeout(45_000, () => socket.destroy(new Error(`no answer to ${describeRequest(request)}`)));
    socket.on('data', (chunk: Buffer) => {
      waitedMs ||= performance.now() - started;
      chunks.push(chunk);
      // A websocket that was accepted stays open.
      if (chunks.length === 1 && chunk.toString('latin1').startsWith('HTTP/1.1 101')) socket.end();
    });
    // The server may answer and close before it has read everything we send.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (chunks.length === 0 && error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve({ ...parseAnswer(Buffer.concat(chunks)), waitedMs }));
    socket.write(body ? Buffer.concat([Buffer.from(head), body]) : head);
  });
}

function parseAnswer(bytes: Buffer): Omit<RawAnswer, 'waitedMs'> {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  const rest = bytes.subarray(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? withoutChunks(rest) : rest;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, body: body.toString('utf8') };
}

function withoutChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!size) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

export function describeRequest({ method = 'GET', target, headers = {}, body }: RawRequest): string {
  const said = Object.entries(headers).filter(([name]) => !/^(authorization|apikey)$/i.test(name));
  const text = body === undefined ? '' : ` ${shortened(Buffer.from(body).toString())}`;
  return `${method} ${shortened(target)} ${JSON.stringify(Object.fromEntries(said))}${text}`;
}

/** A long run of the same character says no more than its length. */
function shortened(text: string): string {
  return text.replace(/(.)\1{40,}/gu, (run, character) => `${character}…×${[...run].length}`).slice(0, 300);
}

/** A clear 4xx: JSON with a message, made for programs and people. */
export function expectClearRefusal(answer: RawAnswer, request: RawRequest): void {
  const what = `${describeRequest(request)} → ${answer.status} ${answer.body.slice(0, 300)}`;
  expect(answer.status, what).toBeGreaterThanOrEqual(400);
  expect(answer.status, what).toBeLessThan(500);
  if (request.method === 'HEAD') return;
  expect(answer.headers.get('content-type'), what).toContain('json');
  expect(() => JSON.parse(answer.body), what).not.toThrow();
  expect(answer.body.length, what).toBeGreaterThan(10);
}
