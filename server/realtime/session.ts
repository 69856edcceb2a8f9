import type { RawData, WebSocket } from 'ws';
import type { Caller } from '../backends/auth/verify-token.ts';
import type { Log } from '../host/log.ts';
import { identityOf } from './caller.ts';
import type { PublishedTable } from './change-feed.ts';
import type { Delivery } from './delivery.ts';
import {
  AccessTokenPayload,
  closed,
  decodeFrame,
  type Frame,
  JoinPayload,
  replyError,
  replyOk,
  systemMessage,
  unreadable,
} from './frames.ts';
import type { Limits } from './limits.ts';
import { type Channel, type Subscription, subscribe } from './subscriptions.ts';

/** First byte of the binary frames in which supabase-js sends broadcasts. */
const binaryBroadcast = 3;
/** Time for the closing frame to arrive. */
const CUT_OFF_AFTER_MS = 1_000;

export type Session = { isSilent(nowMs: number): boolean; close(code: number, reason: string): void };

/** Handles one client's socket; its frames are processed one at a time, in order of arrival. */
export function openSession(
  socket: WebSocket,
  parts: {
    tables: readonly PublishedTable[];
    delivery: Pick<Delivery, 'add' | 'remove'>;
    /** Resolves when earlier changes have been delivered. */
    caughtUp(): Promise<void>;
    /** null: the token is not valid. */
    authorize(token: string | null | undefined): Promise<Caller | null>;
    /** Whether the client's address is below its rate limit; called once per frame. */
    isFrameAllowed(): boolean;
    limits: Limits;
    log: Log;
  },
): Session {
  const { limits, log } = parts;
  const joined = new Map<string, Channel>();
  let isOpen = true;
  let lastFrameMs = performance.now();
  let windowStartMs = lastFrameMs;
  let framesInWindow = 0;
  let malformed = 0;
  let framesWaiting = 0;
  let queue = Promise.resolve();

  function send(frame: string): void {
    if (!isOpen) return;
    if (socket.bufferedAmount > limits.unreadBytes) {
      log({ level: 'warn', event: 'realtime.slow_reader_closed' });
      end();
      // A closing frame would wait behind the unread ones.
      socket.terminate();
      return;
    }
    socket.send(frame);
  }

  function close(code: number, reason: string): void {
    if (!isOpen) return;
    end();
    socket.close(code, reason);
  }

  /** Stops reading from a client that exceeds limits; it may ignore the closing handshake, too. */
  function cutOff(reason: string): void {
    close(1008, reason);
    socket.pause();
    setTimeout(() => socket.terminate(), CUT_OFF_AFTER_MS).unref();
  }

  function end(): void {
    isOpen = false;
    for (const channel of joined.values()) parts.delivery.remove(channel);
    joined.clear();
  }

  function refuseMalformed(reply: string): void {
    malformed += 1;
    if (malformed >= limits.malformedFrames) cutOff('too many malformed frames');
    else send(reply);
  }

  function onMessage(data: RawData, isBinary: boolean): void {
    if (!isOpen) return;
    lastFrameMs = performance.now();
    if (lastFrameMs - windowStartMs > limits.windowMs) {
      windowStartMs = lastFrameMs;
      framesInWindow = 0;
    }
    framesInWindow += 1;
    const isTooMany = framesInWindow > limits.framesPerWindow || framesWaiting >= limits.waitingFrames;
    if (isTooMany || !parts.isFrameAllowed()) {
      cutOff('too many frames');
      return;
    }
    framesWaiting += 1;
    queue = queue
      .then(() => handleFrame(data, isBinary))
      .catch(() => log({ level: 'error', event: 'realtime.frame_failed' }))
      .finally(() => {
        framesWaiting -= 1;
      });
  }

  async function handleFrame(data: RawData, isBinary: boolean): Promise<void> {
    if (!isOpen) return;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [new Uint8Array(data)]);
    if (isBinary) {
      if (bytes[0] !== binaryBroadcast) refuseMalformed(unreadable());
      return;
    }
    const frame = decodeFrame(bytes.toString('utf8'));
    if (!frame) return refuseMalformed(unreadable());
    switch (frame.event) {
      case 'heartbeat':
        return send(replyOk(frame, {}));
      case 'phx_join':
        return await join(frame);
      case 'phx_leave':
        return leave(frame);
      case 'access_token':
        return await changeReader(frame);
      case 'broadcast':
      case 'presence':
        return; // not supported
      default:
        return refuseMalformed(replyError(frame, 'unknown event'));
    }
  }

  async function join(frame: Frame): Promise<void> {
    const payload = JoinPayload.safeParse(frame.payload);
    if (!payload.success) return refuseMalformed(replyError(frame, 'the join cannot be read'));
    const refuse = (reason: string) => send(replyError(frame, reason));
    const { topic, joinRef } = frame;
    const requests = payload.data.config.postgres_changes;
    if (!topic.startsWith('realtime:')) return refuse('unknown topic');
    if (!joined.has(topic) && joined.size >= limits.channelsPerSocket) return refuse('too many channels');
    if (requests.length > limits.subscriptionsPerChannel) return refuse('too many postgres_changes in one channel');

    const subscriptions: Subscription[] = [];
    for (const request of requests) {
      const result = subscribe(request, parts.tables);
      if (!result.ok) return refuse(result.reason);
      subscriptions.push(result.subscription);
    }
    const caller = await parts.authorize(payload.data.access_token);
    if (!caller) return refuse('the access token is not valid');
    // Changes from before the join must not be sent.
    if (subscriptions.length > 0) await parts.caughtUp();
    if (!isOpen) return;

    // A topic that is joined again is replaced. The reply comes before any change, in the same tick: supabase-js learns
    // the ids from the reply and drops earlier changes.
    forget(topic);
    const channel: Channel = { topic, joinRef, reader: { caller, identity: identityOf(caller) }, subscriptions, send };
    const ids = requests.map((request, i) => ({ id: subscriptions[i]?.id, ...request }));
    send(replyOk(frame, { postgres_changes: ids }));
    if (!isOpen) return;
    joined.set(topic, channel);
    if (subscriptions.length === 0) return;
    parts.delivery.add(channel);
    send(systemMessage(channel, 'ok', 'Subscribed to PostgreSQL'));
  }

  function leave(frame: Frame): void {
    const channel = joined.get(frame.topic);
    forget(frame.topic);
    send(replyOk(frame, {}));
    if (channel) send(closed(channel));
  }

  function forget(topic: string): void {
    const channel = joined.get(topic);
    if (channel) parts.delivery.remove(channel);
    joined.delete(topic);
  }

  async function changeReader(frame: Frame): Promise<void> {
    const payload = AccessTokenPayload.safeParse(frame.payload);
    if (!payload.success) return refuseMalformed(replyError(frame, 'the access token cannot be read'));
    const channel = joined.get(frame.topic);
    if (!channel) return;
    const caller = await parts.authorize(payload.data.access_token);
    channel.reader = caller && { caller, identity: identityOf(caller) };
    if (!caller) send(systemMessage(channel, 'error', 'the access token is not valid'));
  }

  socket.on('message', onMessage);
  socket.on('close', end);
  // For example a frame over the size limit; ws closes the socket itself.
  socket.on('error', end);

  return {
    isSilent: (nowMs) => nowMs - lastFrameMs > limits.silenceMs,
    close,
  };
}
