import type { Tone } from '#app/ui/badge.tsx';
import type { ClaimEvent, ClaimRow } from '#contracts/console/claims.ts';
import { dueWords } from '#domain/claims/claim-clock.ts';
import { formatPaise } from '#domain/money.ts';

export const stepWords: Record<NonNullable<ClaimRow['step']>, string> = {
  acknowledge: 'Acknowledge',
  decide: 'Decide',
  refund: 'Refund under way',
  send: 'Send replacement',
};

/** What is to be done next and by when, or how it ended. */
export function nextStep(
  { step, due_at, decision, is_overdue }: ClaimRow,
  now: Date,
): { word: string; due: string; tone: Tone } {
  if (!step || !due_at)
    return { word: decisionWords[decision ?? 'refund'], due: '', tone: decision === 'refusal' ? 'calm' : 'good' };
  return {
    word: stepWords[step],
    due: dueWords(due_at, now),
    tone: is_overdue ? 'bad' : step === 'refund' ? 'busy' : 'waiting',
  };
}

export const decisionWords = { refund: 'Refunded', replacement: 'Replaced', refusal: 'Refused' } as const;

const eventWords: Record<ClaimEvent['kind'], string> = {
  received: 'received',
  acknowledged: 'acknowledged',
  photo: 'photo added',
  asked: 'message from the customer',
  answered: 'answered',
  refunded: 'refund decided',
  replaced: 'replacement decided',
  refused: 'refused',
  sent: 'replacement sent',
  delivered: 'replacement delivered',
};

/** "Claim C-1001: refund of ₹614.25 decided". */
export function eventTitle({ ticket, kind, amount_paise }: ClaimEvent): string {
  if (kind === 'refunded' && amount_paise !== null)
    return `Claim ${ticket}: refund of ${formatPaise(amount_paise)} decided`;
  return `Claim ${ticket}: ${eventWords[kind]}`;
}

export const whoDid = ({ by, kind }: ClaimEvent): string =>
  by ?? (kind === 'received' || kind === 'photo' || kind === 'asked' ? 'The customer' : 'An administrator');
