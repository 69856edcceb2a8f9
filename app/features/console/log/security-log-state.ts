import { z } from '#contracts/z.ts';
import { securityEventGroups } from '#domain/log/describe-security-event.ts';
import { day } from '../form/inputs.ts';

/** The address of the security log. */
export const SecurityLogState = z.object({
  kind: z
    .enum(securityEventGroups.map(({ key }) => key))
    .or(z.literal(''))
    .catch(''),
  person: z.string().max(100).catch(''),
  from: day().catch(''),
  to: day().catch(''),
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .catch(''),
});
export type SecurityLogState = z.infer<typeof SecurityLogState>;

export const noFilter = { kind: '', person: '', from: '', to: '' } as const;
export const isFiltered = ({ kind, person, from, to }: SecurityLogState) => Boolean(kind || person || from || to);

/** The arguments of admin_read_security_log that the address stands for. */
export function requestOf({ kind, person, from, to, after }: SecurityLogState) {
  const group = securityEventGroups.find(({ key }) => key === kind);
  return {
    kinds: group ? [...group.kinds] : null,
    person: person || null,
    first_day: from || null,
    last_day: to || null,
    before_id: after ? Number(after) : null,
  };
}
