import { z } from 'zod';
import type { Change } from './change-feed.ts';

/** Phoenix frames, version 2.0.0: `[join_ref, ref, topic, event, payload]` as JSON text. */
const Ref = z.string().max(64).nullable();
const Frame = z.tuple([Ref, Ref, z.string().max(255), z.string().max(64), z.unknown()]);
export type Frame = { joinRef: string | null; ref: string | null; topic: string; event: string; payload: unknown };

const Token = z.string().max(8192).nullish();

const ChangesRequest = z.object({
  event: z.enum(['*', 'INSERT', 'UPDATE', 'DELETE']),
  schema: z.string().max(63),
  table: z.string().max(63).nullish(),
  filter: z.string().max(2000).nullish(),
  select: z.array(z.string().max(63)).min(1).max(100).nullish(),
});
export type ChangesRequest = z.infer<typeof ChangesRequest>;

/** Settings of broadcast and presence are ignored: neither is supported. */
export const JoinPayload = z.object({
  config: z.object({ postgres_changes: z.array(ChangesRequest).default([]) }).prefault({}),
  access_token: Token,
});
export const AccessTokenPayload = z.object({ access_token: Token });

export function decodeFrame(text: string): Frame | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const frame = Frame.safeParse(json);
  if (!frame.success) return null;
  const [joinRef, ref, topic, event, payload] = frame.data;
  return { joinRef, ref, topic, event, payload };
}

export function replyOk(to: Frame, response: object): string {
  return JSON.stringify([to.joinRef, to.ref, to.topic, 'phx_reply', { status: 'ok', response }]);
}

export function replyError(to: Frame, reason: string): string {
  return JSON.stringify([to.joinRef, to.ref, to.topic, 'phx_reply', { status: 'error', response: { reason } }]);
}

/** The reply to frames without a readable topic and ref. */
export function unreadable(): string {
  return replyError(
    { joinRef: null, ref: null, topic: 'phoenix', event: '', payload: null },
    'the frame cannot be read',
  );
}

type Joined = { joinRef: string | null; topic: string };

/** Closes the channel that was joined with this ref. */
export function closed(channel: Joined): string {
  return JSON.stringify([channel.joinRef, channel.joinRef, channel.topic, 'phx_close', {}]);
}

export function systemMessage(channel: Joined, status: 'ok' | 'error', message: string): string {
  const payload = { channel: channel.topic.replace(/^realtime:/, ''), extension: 'postgres_changes', message, status };
  return JSON.stringify([channel.joinRef, null, channel.topic, 'system', payload]);
}

/**
 * Inserts the row as the database's own JSON text, so that large numbers keep their digits. `columns` is empty because
 * its values have their JSON types already; supabase-js converts the named columns and leaves the others.
 */
export function changeMessage(channel: Joined, ids: number[], change: Omit<Change, 'keys'>, rowJson: string): string {
  const { schema, table, at, type } = change;
  const about = JSON.stringify({
    schema,
    table,
    commit_timestamp: at,
    type,
    columns: [],
    old_record: {},
    errors: null,
  });
  const payload = `{"ids":${JSON.stringify(ids)},"data":${about.slice(0, -1)},"record":${rowJson}}}`;
  return `[${JSON.stringify(channel.joinRef)},null,${JSON.stringify(channel.topic)},"postgres_changes",${payload}]`;
}
