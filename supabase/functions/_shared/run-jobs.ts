import { MailError } from '../../../adapters/mail/mail.ts';
import { MessageError } from '../../../adapters/messages/messenger.ts';
import { ProviderError, type ProviderPayment } from '../../../adapters/payments/provider.ts';
import { renderMail } from '../../../domain/mail/render-mail.ts';
import { renderMessage } from '../../../domain/messages/render-message.ts';
import { mobileNumber } from '../../../domain/profile.ts';
import { countProductPairs, refreshPopularProducts } from '../../contracts/catalogue.ts';
import { forgetAddresses } from '../../contracts/checkout.ts';
import { type ArgsOf, call, type ResultOf } from '../../contracts/contract.ts';
import { keepFigures } from '../../contracts/expenses.ts';
import {
  boundDueTimes as boundTimes,
  claimJobs,
  finishCheck,
  finishJob,
  type OutboxJob,
  postponeJob,
  queueCartReminders,
  queueGiftReminders,
  renewLeases,
  sweep,
} from '../../contracts/jobs.ts';
import { queueRefundDelays, recordRefund } from '../../contracts/payments.ts';
import { sweepSignIns } from '../../contracts/people.ts';
import type { WorkerContext } from './context.ts';
import { settle } from './settle.ts';

export type WorkDone = {
  lapsed: number;
  derived: number;
  settled: number;
  refunded: number;
  mailed: number;
  messaged: number;
  postponed: number;
};

const inOneRound = 20;
const mostRounds = 500;

/**
 * Runs due jobs in rounds until none is due, `enough` says so, or the maximum of rounds is reached. A rest after each
 * job leaves the machine to shoppers.
 */
export async function doDueWork(
  context: WorkerContext,
  isEnough = () => false,
  rest = async () => {},
): Promise<WorkDone> {
  const done: WorkDone = { lapsed: 0, derived: 0, settled: 0, refunded: 0, mailed: 0, messaged: 0, postponed: 0 };
  for (let round = 0; round < mostRounds && !isEnough(); round += 1) {
    const claimed = await call(context.db.rpc, claimJobs, {
      site_url: context.siteUrl,
      at: context.now().toISOString(),
      most: inOneRound,
    });
    done.lapsed += claimed.lapsed;
    done.derived += claimed.derived;
    const leased = new Set(claimed.outbox.map(({ id }) => id));
    const jobs = [
      ...claimed.checkouts.map((orderId) => () => reconcile(context, orderId, done)),
      ...claimed.refunds.map((refund) => () => followRefund(context, refund, done)),
      ...claimed.outbox.map((job) => () => deliver(context, job, done).finally(() => leased.delete(job.id))),
    ];
    const renewing = keepLeases(context, leased);
    const underWay: Promise<void>[] = [];
    for (const job of jobs) {
      underWay.push(job().catch((error) => context.report('a job failed', error)));
      await rest();
    }
    await Promise.all(underWay);
    clearInterval(renewing);
    if (jobs.length > 0) continue;
    if (claimed.lapsed === 0 && claimed.derived === 0) break;
    await rest();
  }
  return done;
}

// A third of a lease (private.lease_time()).
const betweenRenewals = 10_000;

/** Renews the leases of unfinished jobs, so that no other worker starts them. */
function keepLeases({ db, now, report }: WorkerContext, leased: ReadonlySet<number>): ReturnType<typeof setInterval> {
  return setInterval(() => {
    if (leased.size === 0) return;
    call(db.rpc, renewLeases, { job_ids: [...leased], at: now().toISOString() }).catch((error) =>
      report('leases could not be renewed', error),
    );
  }, betweenRenewals);
}

/**
 * Reconciles a checkout with the provider. Captured payments are settled first and each on its own, so that
 * an older attempt that failed cannot block them.
 */
async function reconcile(context: WorkerContext, orderId: string, done: WorkDone): Promise<void> {
  let found: ProviderPayment[] = [];
  let isClear = true;
  try {
    found = (await context.payments?.paymentsOf(orderId)) ?? [];
  } catch (error) {
    isClear = false;
    context.report('a job failed', error);
  }
  for (const payment of [...found].sort((a, b) => Number(b.status === 'captured') - Number(a.status === 'captured'))) {
    try {
      if (await settle(context, payment)) done.settled += 1;
    } catch (error) {
      isClear &&= error instanceof ProviderError && error.kind === 'refused';
      context.report('a payment could not be settled', error);
    }
  }
  await call(context.db.rpc, finishCheck, {
    provider_order_id: orderId,
    at: context.now().toISOString(),
    is_clear: isClear,
  });
}

async function followRefund(
  { db, payments, now }: WorkerContext,
  { id, provider_refund_id }: ResultOf<typeof claimJobs>['refunds'][number],
  done: WorkDone,
): Promise<void> {
  const refund = await payments?.refundById(provider_refund_id);
  if (!refund || refund.status === 'pending') return;
  await call(db.rpc, recordRefund, {
    refund_id: id,
    provider_refund_id,
    status: refund.status,
    at: now().toISOString(),
    reference: refund.bankReference,
  });
  done.refunded += 1;
}

async function deliver(context: WorkerContext, job: OutboxJob, done: WorkDone): Promise<void> {
  const { db, now } = context;
  try {
    const { send, counted } = work[job.kind];
    const note = await send(context, job);
    if (note === null) done[counted] += 1;
    await call(db.rpc, finishJob, { job_id: job.id, note, at: now().toISOString() });
  } catch (error) {
    context.report(`${job.kind} is tried again later`, error);
    await call(db.rpc, postponeJob, { job_id: job.id, problem: String(error), at: now().toISOString() });
    done.postponed += 1;
  }
}

/** Returns why nothing was sent, or null. */
async function sendMail({ mailer }: WorkerContext, { key, mail }: OutboxJob): Promise<string | null> {
  if (!mailer) return 'this shop sends no mail';
  if (!mail) return 'no recipient';
  if ('problem' in mail) throw new Error(mail.problem);
  try {
    await mailer.send({ ...renderMail(mail.facts), to: mail.to, key });
    return null;
  } catch (error) {
    if (error instanceof MailError && error.kind === 'refused') return `refused: ${error.message}`;
    throw error;
  }
}

/** Returns why nothing was sent, or null. */
async function sendMessage({ messenger }: WorkerContext, { key, message }: OutboxJob): Promise<string | null> {
  if (!messenger) return 'this shop sends no messages';
  if (!message) return 'no recipient';
  if ('problem' in message) throw new Error(message.problem);
  const to = mobileNumber(message.phone ?? '');
  if (!to) return 'no mobile number';
  try {
    await messenger.send({ ...renderMessage(message.facts), channel: message.channel, to, key });
    return null;
  } catch (error) {
    if (error instanceof MessageError && error.kind === 'refused') return `refused: ${error.message}`;
    throw error;
  }
}

async function giveBack({ db, payments, now }: WorkerContext, { refund }: OutboxJob): Promise<string | null> {
  if (!refund?.open) return 'already on its way';
  if (!payments) throw new Error('this shop has no payment provider');
  const record = (
    report: Pick<ArgsOf<typeof recordRefund>, 'status' | 'provider_refund_id' | 'problem' | 'reference'>,
  ) => call(db.rpc, recordRefund, { refund_id: refund.id, ...report, at: now().toISOString() });
  try {
    const made = await payments.refund({
      paymentId: refund.payment_id,
      amountPaise: refund.amount_paise,
      idempotencyKey: refund.id,
      reason: refund.reason,
    });
    await record({ status: made.status, provider_refund_id: made.id, reference: made.bankReference });
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    await record({ status: 'failed', provider_refund_id: null, problem: error.message });
    return `refused: ${error.message}`;
  }
}

const work = {
  mail: { send: sendMail, counted: 'mailed' },
  message: { send: sendMessage, counted: 'messaged' },
  refund: { send: giveBack, counted: 'refunded' },
} as const;

/** For callers with a time limit: true when the time is over. */
export function enoughAfter(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() >= end;
}

// Two financial years have twenty-four months.
const mostMonths = 30;

/** Periodic maintenance: clean-up, reminders, emails about late refunds, and sums of past days, a month at a time. */
export async function tidyUp({ db, now }: WorkerContext): Promise<void> {
  const at = now().toISOString();
  await call(db.rpc, sweep, { at });
  await call(db.rpc, sweepSignIns, { at });
  await call(db.rpc, forgetAddresses, { at });
  await call(db.rpc, queueGiftReminders, { at });
  await call(db.rpc, queueRefundDelays, { at });
  await call(db.rpc, queueCartReminders, { at });
  await call(db.rpc, refreshPopularProducts, { at });
  await call(db.rpc, countProductPairs, { at });
  for (let month = 0; month < mostMonths; month += 1) if (!(await call(db.rpc, keepFigures, { at }))) return;
}

/** Corrects due times that are too far in the future after the clock was set back. */
export async function boundDueTimes({ db, now }: WorkerContext): Promise<void> {
  await call(db.rpc, boundTimes, { at: now().toISOString() });
}

/** Runs maintenance on the first call, then at most every ten minutes. */
export const tidyNowAndThen = () => atMostEvery(10 * 60_000, tidyUp);
/** The same for due times, every minute. */
export const boundDueTimesNowAndThen = () => atMostEvery(60_000, boundDueTimes);

function atMostEvery(milliseconds: number, work: (context: WorkerContext) => Promise<void>): typeof work {
  // A monotonic clock: if the system clock jumps back, maintenance continues.
  let nextAt = 0;
  return async (context) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + milliseconds;
    await work(context);
  };
}
