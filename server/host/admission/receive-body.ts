import type { IncomingMessage } from 'node:http';

/** The longest body of an ordinary request (server/lite/data-gate); only administrators send longer ones. */
export const ORDINARY_BODY_BYTES = 256 * 1024;
/** Unfinished bodies of one address: two hundred customers behind it may send theirs at once. */
const BYTES_PER_ADDRESS = 4 * 1024 * 1024;
/** Counted for every body, however short: it bounds their number, too. */
const LEAST_BYTES = 16 * 1024;

export type Received = 'complete' | 'too-many' | 'too-long';

export type BodyReceiver = {
  /**
   * Buffers the body and calls back once, never after `cancel`. A body that announces more than an ordinary request has is
   * left to its route, which asks for an administrator before it reads.
   */
  receive(request: IncomingMessage, address: string, callback: (received: Received) => void): { cancel(): void };
};

/** Parsing it takes long enough for others to notice when many arrive at once. */
export const takesTimeToParse = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LEAST_BYTES;

export const isLongBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > ORDINARY_BODY_BYTES;

/** Receives bodies before their requests enter a queue: slow senders hold memory that is bounded, and no place. */
export function createBodyReceiver(factor: number): BodyReceiver {
  const reserved = new Map<string, number>();

  function reserve(address: string, bytes: number): void {
    const sum = (reserved.get(address) ?? 0) + bytes;
    if (sum > 0) reserved.set(address, sum);
    else reserved.delete(address);
  }

  return {
    receive(request, address, callback) {
      if (!hasBody(request) || isLongBody(request)) {
        callback('complete');
        return { cancel() {} };
      }
      const bytes = Math.max(LEAST_BYTES, Number(request.headers['content-length'] ?? ORDINARY_BODY_BYTES));
      if ((reserved.get(address) ?? 0) + bytes > BYTES_PER_ADDRESS * factor) {
        callback('too-many');
        return { cancel() {} };
      }
      reserve(address, bytes);
      let isOpen = true;
      const pieces: Buffer[] = [];
      let size = 0;

      function cancel(): void {
        if (!isOpen) return;
        isOpen = false;
        reserve(address, -bytes);
        pieces.length = 0;
      }

      request.on('data', (piece: Buffer) => {
        if (!isOpen) return; // read and thrown away
        size += piece.length;
        pieces.push(piece);
        if (size <= ORDINARY_BODY_BYTES) return;
        cancel();
        callback('too-long');
      });
      request.once('end', () => {
        if (!isOpen) return;
        // Where @hono/node-server looks for a body that was read already.
        Object.assign(request, { rawBody: Buffer.concat(pieces) });
        cancel();
        callback('complete');
      });
      return { cancel };
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
