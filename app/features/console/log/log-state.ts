import type { LogChoices } from '#contracts/console/log.ts';
import { z } from '#contracts/z.ts';
import { kindsIn } from '#domain/log/table-labels.ts';
import { logAddress, pageOf } from './log-address.ts';

/** The address of the activity log. */
export const LogState = z.object({ ...logAddress, who: z.uuid().catch(''), kind: z.string().max(60).catch('') });
export type LogState = z.infer<typeof LogState>;

export const noFilter = { who: '', kind: '', from: '', to: '' } as const;

/** The arguments of admin_read_log that the address stands for; null until it is known which tables a kind stands for. */
export function requestOf(state: LogState, choices: LogChoices | null) {
  if (state.kind && !choices) return null;
  const tables = kindsIn(choices?.tables ?? []).find(({ kind }) => kind === state.kind)?.tables ?? [];
  return { ...pageOf(state), actor_id: state.who || null, tables: state.kind ? tables : null };
}
