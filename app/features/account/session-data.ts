import type { ShopClient } from '#app/backend/client.ts';
import { deviceName } from '#domain/sign-in/device-name.ts';
import { instantFrom } from '#domain/time.ts';

export type ListedSession = { id: string; device: string; startedAt: Date; lastUsedAt: Date; isCurrent: boolean };

/** Where the customer is logged in, this browser first. Throws when it cannot be read. */
export async function loadSessions(client: ShopClient): Promise<ListedSession[]> {
  const { data, error } = await client.rpc('my_sessions');
  if (error) throw error;
  return (data ?? []).flatMap(({ id, user_agent, started_at, last_used_at, is_current }) => {
    const startedAt = instantFrom(started_at ?? '');
    if (!id || !startedAt) return [];
    const lastUsedAt = instantFrom(last_used_at ?? '') ?? startedAt;
    return [{ id, device: deviceName(user_agent ?? ''), startedAt, lastUsedAt, isCurrent: is_current === true }];
  });
}

/** False when it could not be ended. */
export async function endSession(client: ShopClient, id: string): Promise<boolean> {
  try {
    return (await client.rpc('end_my_session', { session_id: id })).error === null;
  } catch {
    return false;
  }
}

/** Ends all sessions, this one too. False when they could not be ended. */
export async function endAllSessions(client: ShopClient): Promise<boolean> {
  try {
    return (await client.rpc('end_my_sessions')).error === null;
  } catch {
    return false;
  }
}
