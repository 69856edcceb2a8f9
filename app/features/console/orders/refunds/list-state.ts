import { refundAges } from '#contracts/console/refunds.ts';
import { z } from '#contracts/z.ts';

export const stateChoices = [
  ['', 'Any state'],
  ['to-decide', 'To be done by you'],
  ['queued', 'Waiting to be sent'],
  ['accepted', 'With the payment provider'],
  ['retrying', 'Being tried again'],
] as const;

/** The address of the list of refunds. */
export const RefundState = z.object({
  shown: z.enum(['open', 'finished']).catch('open'),
  age: z.enum(['', ...refundAges]).catch(''),
  state: z.enum(['', 'to-decide', 'queued', 'accepted', 'retrying']).catch(''),
  after: z.string().max(400).catch(''),
});
export type RefundState = z.infer<typeof RefundState>;

export const isFiltered = ({ age, state }: RefundState) => age !== '' || state !== '';

export const refundQuestionOf = ({ shown, age, state, after }: RefundState) =>
  shown === 'finished' ? { shown, after: after || null } : { shown, age, state, after: after || null };
