import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export type Drain = {
  /**
   * The one place where a request is let in. Whatever is admitted gets its response; a request that is not admitted must
   * not be begun: its connection has said its last word already.
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** The same for a request that leaves HTTP (websockets): none is accepted during shutdown. */
  admitUpgrade(socket: Socket): boolean;
  /** From now on every connection ends with its next response; new ones are still accepted. */
  announce(): void;
  /** Accepts no more connections and requests, and resolves when every admitted request has its response. */
  finish(limitMs: number): Promise<void>;
};

export type DrainOptions = {
  /** How a request is answered that takes longer than the shutdown may. */
  refuse(response: ServerResponse): void;
};

/** A body that is still on its way when the shutdown begins has this share of the time; the rest is for the work. */
const SHARE_FOR_BODIES = 0.5;
/** Browsers and proxies wait for a response before they send the next request: so many at once are a flood. */
const MOST_PIPELINED = 8;
/** Of a request that follows an unfinished one. Address and headers stay in memory until the earlier responses are sent. */
const LONGEST_PIPELINED = 16 * 1024;
/** How long clients have to close their side, so that responses still in the kernel are not lost to a reset. */
const LINGER_MS = 500;

/**
 * Ends a server without breaking a promise: every admitted request is answered in full, and a request without a response
 * was never begun. Sockets that were handed over to another protocol (realtime) are closed by their owner.
 */
export function createDrain(server: Server, { refuse }: DrainOptions): Drain {
  /** Every open connection with the responses it still owes, oldest first (clients may pipeline). */
  const owedBy = new Map<Socket, Set<ServerResponse>>();
  /** Connections that have announced their last response, or have been ended: no further request on them is begun. */
  const ending = new WeakSet<Socket>();
  let phase: 'open' | 'announced' | 'ending' = 'open';
  let onSettled: (() => void) | null = null;

  server.on('connection', (socket) => {
    owedBy.set(socket, new Set());
    socket.once('close', () => {
      owedBy.delete(socket);
      settle();
    });
  });

  const owed = (): ServerResponse[] => [...owedBy.values()].flatMap((responses) => [...responses]);
  const settle = () => onSettled?.();

  /** Resolves when `isDone`, looked at whenever a response or a connection ends; at the latest after `limitMs`. */
  async function until(isDone: () => boolean, limitMs: number): Promise<void> {
    if (isDone()) return;
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, limitMs);
    onSettled = () => isDone() && limit.resolve();
    await limit.promise;
    onSettled = null;
    clearTimeout(timer);
  }

  /** The client learns that the connection ends with this response; when its headers are out, the connection just ends. */
  function closeAfter(socket: Socket, response: ServerResponse): void {
    ending.add(socket);
    if (!response.headersSent) response.setHeader('connection', 'close');
  }

  function answered(socket: Socket, response: ServerResponse): void {
    const responses = owedBy.get(socket);
    responses?.delete(response);
    if (responses?.size === 0 && ending.has(socket)) socket.end();
    settle();
  }

  return {
    admit(request, response) {
      const { socket } = request;
      const responses = owedBy.get(socket);
      if (!responses || phase === 'ending' || ending.has(socket) || !socket.writable) {
        // Read and thrown away instead of reset: a reset could overtake earlier responses on this connection.
        request.resume();
        return false;
      }
      if (responses.size >= MOST_PIPELINED || (responses.size > 0 && headLength(request) > LONGEST_PIPELINED)) {
        socket.destroy();
        return false;
      }
      responses.add(response);
      response.once('close', () => answered(socket, response));
      if (phase === 'announced') closeAfter(socket, response);
      return true;
    },
    admitUpgrade(socket) {
      if (phase === 'ending' || ending.has(socket)) {
        socket.destroy();
        return false;
      }
      owedBy.delete(socket);
      return true;
    },
    announce() {
      phase = 'announced';
    },
    async finish(limitMs) {
      phase = 'ending';
      // Not the HTTP server's own close: that cuts off responses which are written but not yet sent.
      NetServer.prototype.close.call(server);
      for (const [socket, responses] of owedBy) {
        const last = [...responses].at(-1);
        if (last) closeAfter(socket, last);
        else {
          ending.add(socket);
          socket.end();
        }
      }
      const isAnswered = () => owed().length === 0;
      const bodiesMs = limitMs * SHARE_FOR_BODIES;
      await until(isAnswered, bodiesMs);
      // Nothing is begun before its body is complete, so these can be turned away without having done anything.
      for (const [socket, responses] of owedBy) {
        const [only, ...others] = responses;
        if (only && others.length === 0 && !only.req.complete) socket.destroy();
      }
      await until(isAnswered, limitMs - bodiesMs);
      for (const response of owed()) refuse(response);
      await until(() => owedBy.size === 0, LINGER_MS);
      for (const socket of owedBy.keys()) socket.destroySoon();
    },
  };
}

function headLength({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, url.length);
}
