import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientGroup } from '../client-address.ts';
import { withinRequest } from '../request-scope.ts';
import { type Clock, createFairQueue, type FairQueue, type Ticket } from './fair-queue.ts';
import { type Lane, laneOf, lanesFor } from './lanes.ts';

import { limitRate } from './rate-limit.ts';
import { createBodyReceiver, isLongBody, takesTimeToParse } from './receive-body.ts';
import { type Refusal, tooLong, tooMany, tooSlow } from './refusal.ts';
import { spreadOut } from './spread-out.ts';
import { watchEventLoop } from './watch-event-loop.ts';

/** Whatever happens, a request is answered by then. */
export const REQUEST_DEADLINE_MS = 10_000;
/** A long body (an administrator's upload) that is still arriving extends the deadline; Node ends it after half a minute. */
const STILL_SENDING_MS = 2_000;

/**
 * A refusal costs about as much as a cached page, and a client that floods sends its next request as soon as it has one. While
 * the process is busy it gets them after one to two seconds, not all at the same moment.
 */
const refusalPauseMs = () => 1_000 * (1 + Math.random());
/** Cached pages and health checks that an address gets at once while the process is busy; further ones wait like files. */
const AT_ONCE_WHEN_BUSY = { burst: 300, perSecond: 100 };

export type Admission = {
  /** Serves the request once its body is there and it is its turn in the lane, or refuses it. */
  admit(request: IncomingMessage, response: ServerResponse, lane: Lane | null, serve: () => void): void;
  /** The lane of a request for a path. */
  laneOf(path: string): Lane | null;
  /** Whether a cached page is sent without waiting: unless the process is busy and the address has asked for very many. */
  mayHaveCachedPageNow(request: IncomingMessage): boolean;
};

export type AdmissionOptions = {
  proxies: number;
  /** CLIENT_LIMIT */
  factor: number;
  isFile(path: string): boolean;
  refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void;
  deadlineMs?: number;
  /** Whether the process has hardly time for anything else. */
  isBusy?(): boolean;
};

const clock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** One place for what every request has: its turn among those of all addresses, and its deadline. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { proxies, factor, isFile, refuse, deadlineMs = REQUEST_DEADLINE_MS, isBusy = watchEventLoop() } = options;
  const queues = Object.fromEntries(
    Object.entries(lanesFor(factor)).map(([lane, limits]) => [lane, createFairQueue(limits, clock, isBusy)]),
  ) as Record<Lane, FairQueue>;
  const bodies = createBodyReceiver(factor);
  const beginSpreadOut = spreadOut();
  const isWithinShare = limitRate({
    burst: AT_ONCE_WHEN_BUSY.burst * factor,
    perSecond: AT_ONCE_WHEN_BUSY.perSecond * factor,
  });

  return {
    laneOf: (path) => laneOf(path, isFile),
    mayHaveCachedPageNow: (request) => !isBusy() || isWithinShare(clientGroup(request, proxies)),
    admit(request, response, lane, serve) {
      const address = clientGroup(request, proxies);
      const left = new AbortController();
      // The one state of a request: it is begun at most once, only while it waits, and nothing follows its end.
      let state: 'waiting' | 'begun' | 'ended' = 'waiting';
      // A client that floods its own queue is rate limited; the shop is to blame for any other wait.
      let onDeadline: () => void = () =>
        refuse(
          request,
          response,
          ticket?.ok && ticket.isBehindItsOwn && state === 'waiting' ? tooMany(tooSlow.retryAfter) : tooSlow,
        );
      let cancelBody = () => {};
      let ticket: Ticket | null = null;

      function end(): void {
        if (state === 'ended') return;
        state = 'ended';
        cancelDeadline();
        cancelBody();
        if (ticket?.ok) ticket.leave();
      }

      function endWith(refusal: Refusal): void {
        end();
        if (refusal.status === 429 && isBusy()) setTimeout(refuse, refusalPauseMs(), request, response, refusal);
        else refuse(request, response, refusal);
      }

      function begin(): void {
        if (state !== 'waiting') return;
        if (isResponded(response)) {
          end(); // at shutdown, for example
          return;
        }
        state = 'begun';
        const scope = {
          signal: left.signal,
          responded: end,
          onDeadline(callback: () => void) {
            onDeadline = callback;
          },
        };
        withinRequest(scope, serve);
      }

      function enterQueue(): void {
        // A monitor polls now and then; a client that floods waits, whatever it requests.
        const queue = lane ?? (isBusy() && !isWithinShare(address) ? 'files' : null);
        if (queue === null) {
          begin();
          return;
        }
        let isLater = false;
        // From the queue: after other ready events, or a long queue would be served before new requests are read.
        const entered = queues[queue].enter(address, () => {
          if (takesTimeToParse(request)) beginSpreadOut(begin);
          else if (isLater) setImmediate(begin);
          else begin();
        });
        isLater = true;
        ticket = entered;
        if (!entered.ok) endWith(tooMany(entered.retryAfterSeconds));
        else if (state === 'ended') entered.leave();
      }

      const cancelDeadline = atDeadline(request, deadlineMs, () => {
        left.abort();
        if (!isResponded(response)) onDeadline();
        end();
      });
      response.once('close', () => {
        if (!response.writableFinished) left.abort();
        // What was not begun is not begun any more; what was keeps its place until it is done.
        if (state === 'waiting' || response.writableFinished) end();
      });
      const body = bodies.receive(request, address, (received) => {
        if (received === 'complete') enterQueue();
        else endWith(received === 'too-long' ? tooLong : tooMany(1));
      });
      cancelBody = body.cancel;
    },
  };
}

function isResponded(response: ServerResponse): boolean {
  return response.headersSent || response.writableEnded || response.destroyed;
}

/** Calls back once the time is up and no more of a long body arrives. Returns how to cancel it. */
function atDeadline(request: IncomingMessage, ms: number, callback: () => void): () => void {
  if (!isLongBody(request)) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
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
