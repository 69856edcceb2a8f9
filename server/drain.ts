import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export type Drain = {
  /** Every answer that is begun passes through here. */
  begin(response: ServerResponse): void;
  /** From now on every connection ends with its answer; new ones are still taken. */
  announce(): void;
  /** Takes no more connections, closes those that are idle, and resolves when what was asked is answered. */
  finish(limitMs: number): Promise<void>;
};

/**
 * Ends a server without breaking a promise: whoever has been let in is answered whole. Sockets that were handed over
 * to a protocol of their own (realtime) are closed by whoever has them.
 */
export function drainOf(server: Server): Drain {
  const sockets = new Set<Socket>();
  const answering = new Set<ServerResponse>();
  let isEnding = false;
  let isAnnounced = false;
  let onceAnswered: (() => void) | null = null;

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('upgrade', (request) => sockets.delete(request.socket));

  /** The client hears that the connection ends with this answer; where it is too late for that, it just ends. */
  function sayLast(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }
  function ended(this: ServerResponse): void {
    answering.delete(this);
    if (!isEnding) return;
    this.req.socket.end();
    if (answering.size === 0) onceAnswered?.();
  }

  return {
    begin(response) {
      answering.add(response);
      response.once('close', ended);
      if (isEnding || isAnnounced) sayLast(response);
    },
    announce() {
      isAnnounced = true;
    },
    async finish(limitMs) {
      isEnding = true;
      // Not the HTTP server's own close: that cuts off answers which are written but not yet sent.
      NetServer.prototype.close.call(server);
      const busy = new Set<Socket>();
      for (const response of answering) {
        busy.add(response.req.socket);
        sayLast(response);
      }
      for (const socket of sockets) if (!busy.has(socket)) socket.end();
      if (answering.size > 0) {
        const patience = setTimeout(() => onceAnswered?.(), limitMs);
        await new Promise<void>((resolve) => {
          onceAnswered = resolve;
        });
        clearTimeout(patience);
      }
      for (const response of answering) response.req.socket.destroy();
    },
  };
}
