import { connect, type Socket } from 'node:net';
import type { Post } from '../tests/support/buyers.ts';

type Waiting = { resolve(answer: { status: number; text: string }): void; reject(error: Error): void };

/**
 * Posts over connections that are kept, with as little work as can be: the client shares two cores with the shop, and what it
 * takes is not part of the server's figures. It knows just enough HTTP for answers that name their length. Each connection comes from
 * an address of its own, as customers do.
 */
export function lightClient(url: string, connections: number): { post: Post; close(): void } {
  const { hostname, port, host } = new URL(url);
  const idle: Connection[] = [];
  const queue: ((connection: Connection) => void)[] = [];
  const all = new Set<Connection>();

  function free(connection: Connection): void {
    const next = queue.shift();
    if (next) next(connection);
    else idle.push(connection);
  }

  function take(): Promise<Connection> {
    // The shop ends connections that are not used for some seconds.
    let found = idle.pop();
    while (found?.socket.destroyed) {
      all.delete(found);
      found = idle.pop();
    }
    if (found) return Promise.resolve(found);
    if (all.size < connections) {
      const place = { port: Number(port), host: hostname.replace('localhost', '127.0.0.1') };
      const made = new Connection(connect({ ...place, localAddress: customerAddress(all.size) }));
      all.add(made);
      return Promise.resolve(made);
    }
    return new Promise((resolve) => queue.push(resolve));
  }

  const post: Post = async (path, body, headers) => {
    const connection = await take();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    try {
      return await connection.send(head + body);
    } finally {
      free(connection);
    }
  };
  return {
    post,
    close() {
      for (const connection of all) connection.socket.destroy();
    },
  };
}

/** The nth of many loopback addresses. */
export function customerAddress(n: number): string {
  return `127.1.${Math.floor(n / 250) % 250}.${1 + (n % 250)}`;
}

class Connection {
  readonly socket: Socket;
  #received = '';
  #waiting: Waiting | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8').setNoDelay(true);
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed before the answer')));
  }

  send(request: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  #read(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const rest = this.#received.slice(end + 4);
    const body = /\r\ntransfer-encoding: chunked/i.test(head) ? chunkedBody(rest) : bodyOfLength(head, rest);
    if (body === null) return;
    this.#received = '';
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), text: body });
    this.#waiting = null;
  }
}

/** Null until all of it has come. */
function bodyOfLength(head: string, rest: string): string | null {
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return Buffer.byteLength(rest) < length ? null : rest;
}

/** Null until all of it has come. */
function chunkedBody(rest: string): string | null {
  if (!rest.endsWith('0\r\n\r\n')) return null;
  const bytes = Buffer.from(rest);
  let body = '';
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    body += bytes.toString('utf8', end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
  return body;
}
