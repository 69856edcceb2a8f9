import { readablePhone } from '../shop/shop-facts.ts';
import { formatMoment, instantFrom } from '../time.ts';

export const claimProblems = ['damaged', 'missing', 'wrong', 'not-fresh', 'not-delivered'] as const;
export type ClaimProblem = (typeof claimProblems)[number];

export const problemLabels: Record<ClaimProblem, string> = {
  damaged: 'Damaged',
  missing: 'Missing',
  wrong: 'Wrong item',
  'not-fresh': 'Not fresh',
  'not-delivered': 'Not delivered',
};

export const claimStates = ['received', 'acknowledged', 'decided'] as const;
export type ClaimState = (typeof claimStates)[number];
export const claimDecisions = ['refund', 'replacement', 'refusal'] as const;
export type ClaimDecision = (typeof claimDecisions)[number];

export const mostWords = 2000;
export const mostPhotos = 4;
export const mostPhotoBytes = 600 * 1024;
/** Wider or higher pictures are refused: unpacked they would fill the memory of who looks at them. */
export const mostPhotoPixels = 4096;

/** When claims of an order are possible: `late` means that only "not delivered" can be said. */
export const windowStates = ['open', 'ended', 'late', 'early', 'none'] as const;
export type ClaimWindow = { state: (typeof windowStates)[number]; ends_at: string | null };

/** Whom the law lets a customer complain to; any of it may be empty. */
export type ComplaintContact = { name: string; email: string; phone: string; hours: string };

/** What can be wrong with an item now. */
export function problemsFor(window: ClaimWindow['state'], fulfilment: 'delivery' | 'pickup'): ClaimProblem[] {
  if (window === 'late') return ['not-delivered'];
  return claimProblems.filter((problem) => problem !== 'not-delivered' || fulfilment === 'delivery');
}

/** The moment in India, to the second: "18 Nov 2026, 3:45:10 pm IST". */
export function exactMoment(text: string): string {
  const instant = instantFrom(text);
  if (!instant) return '';
  const seconds = String(instant.getUTCSeconds()).padStart(2, '0');
  return `${formatMoment(instant).replace(/ (am|pm)$/, `:${seconds} $1`)} IST`;
}

/** What ended, when, and whom to write to all the same. */
export function windowEnded(endedAt: string, contact: ComplaintContact): string {
  return `Problems can be reported until 24 hours after delivery. For this order that ended on ${exactMoment(endedAt)}. ${complainTo(contact)}`;
}

export function complainTo({ name, email, phone, hours }: ComplaintContact): string {
  const ways = [email, phone && readablePhone(phone)].filter(Boolean).join(' or ');
  const who = name ? `our grievance officer, ${name}` : 'our grievance officer';
  if (!ways) return `You can still complain to ${who}.`;
  return `You can still complain to ${who}: ${ways}${hours ? ` (${hours})` : ''}.`;
}
