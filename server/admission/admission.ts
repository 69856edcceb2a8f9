import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressGroup, forwardedAddress } from '../client-address.ts';
import { withinRequest } from '../request-scope.ts';
import { type Clock, createFairQueue, type FairQueue, type Ticket } from './fair-queue.ts';
import { type Lane, laneOf, lanesFor } from './lanes.ts';
import { watchEventLoop } from './watch-event-loop.ts';

/** Whatever happens, a request is answered by then. */
export const REQUEST_DEADLINE_MS = 10_000;
/** A body that is still arriving is the client's time; Node ends it after half a minute. */
const STILL_SENDING_MS = 2_000;

export type Refusal = { status: 429 | 503; code: string; message: string; retryAfter: number };
export type Admission = {
  /** Serves the request when it is its turn, or refuses it. */
  admit(request: IncomingMessage, response: ServerResponse, path: string, serve: () => void): void;
};

export type AdmissionOptions = {
  proxies: number;
  /** CLIENT_LIMIT */
  factor: number;
  isFile(path: string): boolean;
  refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void;
  deadlineMs?: number;
};

export const tooSlow: Refusal = {
  status: 503,
  code: 'too-slow',
  message: 'This took too long. Please try again in a moment.',
  retryAfter: 5,
};
const tooMany = (retryAfter: number): Refusal => ({
  status: 429,
  code: 'too-many-requests',
  message: 'Too many requests from your network at once. Please try again in a moment.',
  retryAfter,
});

const clock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** One place for what every request has: its turn among those of all addresses, and its deadline. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { proxies, factor, isFile, refuse, deadlineMs = REQUEST_DEADLINE_MS } = options;
  const isBusy = watchEventLoop();
  const queues = Object.fromEntries(
    Object.entries(lanesFor(factor)).map(([lane, limits]) => [lane, createFairQueue(limits, clock, isBusy)]),
  ) as Record<Lane, FairQueue>;

  return {
    admit(request, response, path, serve) {
      const lane = laneOf(path, isFile);
      const gone = new AbortController();
      let ticket: Ticket | null = null;
      let isEntered = false;
      let isStarted = false;
      let isResponded = false;
      let onDeadline: () => void = () => refuse(request, response, tooSlow);

      function responded(): void {
        isResponded = true;
        cancelDeadline();
        if (ticket?.ok) ticket.leave();
      }

      function start(): void {
        isStarted = true;
        const scope = {
          signal: gone.signal,
          responded,
          onDeadline(callback: () => void) {
            onDeadline = callback;
          },
        };
        // From a queue: after whatever else is ready, or one long queue would be served before anybody else is heard.
        if (isEntered) setImmediate(withinRequest, scope, serve);
        else withinRequest(scope, serve);
      }

      const cancelDeadline = atDeadline(request, deadlineMs, () => {
        gone.abort();
        onDeadline();
        responded();
      });
      response.once('close', () => {
        gone.abort();
        // What was not begun is not begun any more; what was keeps its place until it is done.
        if (!isStarted) responded();
      });

      if (lane === null) return start();
      ticket = queues[lane].enter(addressGroup(addressOf(request, proxies)), start);
      isEntered = true;
      if (!ticket.ok) {
        responded();
        refuse(request, response, tooMany(ticket.retryAfterSeconds));
      } else if (isResponded) ticket.leave();
    },
  };
}

function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  return forwardedAddress(headers['x-forwarded-for'], socket.remoteAddress, proxies);
}

/** Calls back once the time is up and nothing more of the request arrives. Returns how to call it off. */
function atDeadline(request: IncomingMessage, ms: number, callback: () => void): () => void {
  const { socket } = request;
  let received = socket.bytesRead;
  let timer = setTimeout(check, Math.max(0, ms - STILL_SENDING_MS));
  let isLast = false;
  function check(): void {
    const isSending = isLast && !request.complete && socket.bytesRead > received;
    received = socket.bytesRead;
    if (isLast && !isSending) callback();
    else timer = setTimeout(check, STILL_SENDING_MS);
    isLast = true;
  }
  return () => clearTimeout(timer);
}
