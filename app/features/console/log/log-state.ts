import type { LogChoices } from '#contracts/console/log.ts';
import { z } from '#contracts/z.ts';
import { kindsIn } from '#domain/log/table-labels.ts';
import { day } from '../form/inputs.ts';

/** The address of the log. */
export const LogState = z.object({
  who: z.uuid().catch(''),
  kind: z.string().max(60).catch(''),
  from: day().catch(''),
  to: day().catch(''),
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .catch(''),
});
export type LogState = z.infer<typeof LogState>;

export const noFilter = { who: '', kind: '', from: '', to: '' } as const;
export const isFiltered = ({ who, kind, from, to }: LogState) => Boolean(who || kind || from || to);

/** The question that the address asks; null until it is known which tables a kind stands for. */
export function questionOf(state: LogState, choices: LogChoices | null) {
  if (state.kind && !choices) return null;
  const tables = kindsIn(choices?.tables ?? []).find(({ kind }) => kind === state.kind)?.tables ?? [];
  return {
    actor_id: state.who || null,
    tables: state.kind ? tables : null,
    first_day: state.from || null,
    last_day: state.to || null,
    before_id: state.after ? Number(state.after) : null,
  };
}
