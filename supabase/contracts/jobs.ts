// Functions of schemas/16_jobs. Called by the worker: the host's own, or the edge function runJobs.

import { messageChannels, messageTemplates } from '../../domain/messages/message.ts';
import { at, defineFunction, nothing } from './contract.ts';
import { MailFacts } from './mail-facts.ts';
import { z } from './z.ts';

const MailJob = z.union([
  z.object({ to: z.object({ address: z.string(), name: z.string().nullable() }), facts: MailFacts }),
  z.object({ problem: z.string() }),
]);
const RefundJob = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount_paise: z.number(),
  reason: z.string(),
  open: z.boolean(),
});
const MessageJob = z.union([
  z.object({
    channel: z.enum(messageChannels),
    phone: z.string().nullable(),
    facts: z.object({
      template: z.enum(messageTemplates),
      shopName: z.string(),
      number: z.number().nullable(),
      isPickup: z.boolean().nullable(),
      deliveryBy: z.string().nullable(),
      isChosenDay: z.boolean(),
      courier: z.string().nullable(),
      trackingNumber: z.string().nullable(),
      recipients: z.number().nullable(),
      amountPaise: z.number().nullable(),
      url: z.string(),
    }),
  }),
  z.object({ problem: z.string() }),
]);
/** An unreadable job must not block the others: it carries an error instead of its email or message. */
const unreadable = ({ error }: { error: { issues: readonly { message: string }[] } }): { problem: string } => ({
  problem: `not what the contract says: ${error.issues[0]?.message ?? ''}`,
});
const OutboxJob = z.object({
  id: z.number(),
  kind: z.enum(['mail', 'message', 'refund']),
  key: z.string(),
  mail: MailJob.nullable().catch(unreadable),
  message: MessageJob.nullable().catch(unreadable),
  refund: RefundJob.nullable(),
});
export type OutboxJob = z.infer<typeof OutboxJob>;

export const claimJobs = defineFunction(
  'claim_jobs',
  { site_url: z.string(), at, most: z.number().optional() },
  z.object({
    lapsed: z.number(),
    /** From how many changes of orders emails and figures were derived. */
    derived: z.number(),
    /** The provider's orders of checkouts whose end is not known. */
    checkouts: z.array(z.string()),
    refunds: z.array(z.object({ id: z.string(), provider_refund_id: z.string() })),
    outbox: z.array(OutboxJob),
  }),
);

export const finishCheck = defineFunction(
  'finish_check',
  { provider_order_id: z.string(), at, is_clear: z.boolean().optional() },
  nothing,
);
/** `note`: why nothing was done; null when it was. */
export const finishJob = defineFunction(
  'finish_job',
  { job_id: z.number(), note: z.string().nullable().optional(), at },
  nothing,
);
export const finishJobs = defineFunction('finish_jobs', { calls: z.array(finishJob.args) }, z.array(z.unknown()));
export const postponeJob = defineFunction('postpone_job', { job_id: z.number(), problem: z.string(), at }, nothing);
export const renewLeases = defineFunction('renew_leases', { job_ids: z.array(z.number()), at }, nothing);
export const boundDueTimes = defineFunction('correct_due_times', { at }, nothing);
/** How many reminders before a festival were queued. */
export const queueGiftReminders = defineFunction('queue_gift_reminders', { at }, z.number());

export const queueCartReminders = defineFunction('queue_cart_reminders', { at }, z.number());
export const sweep = defineFunction('sweep', { at }, nothing);

const Counts = z.record(z.string(), z.number());

export const queueFigures = defineFunction(
  'queue_metrics',
  { at },
  z.object({ depth: Counts, overdue: Counts, troubled: Counts, failed_refunds: z.number() }),
);
/** Orders by status. */
export const countOrders = defineFunction('count_orders', {}, Counts);
