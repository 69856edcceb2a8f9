import { z } from '#contracts/z.ts';
import { securityEventGroups } from '#domain/log/describe-security-event.ts';
import { logAddress, pageOf } from './log-address.ts';

/** The address of the security log. */
export const SecurityLogState = z.object({
  ...logAddress,
  kind: z
    .enum(securityEventGroups.map(({ key }) => key))
    .or(z.literal(''))
    .catch(''),
  person: z.string().max(100).catch(''),
});
export type SecurityLogState = z.infer<typeof SecurityLogState>;

export const noFilter = { kind: '', person: '', from: '', to: '' } as const;

/** The arguments of admin_read_security_log that the address stands for. */
export function requestOf(state: SecurityLogState) {
  const group = securityEventGroups.find(({ key }) => key === state.kind);
  return { ...pageOf(state), kinds: group ? [...group.kinds] : null, person: state.person || null };
}
