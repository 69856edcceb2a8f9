import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type QuoteProblem, totalsMessage } from '#domain/checkout/messages.ts';
import type { OrderLine } from '#domain/checkout/order-line.ts';
import { type Amounts, noAmounts, type Quote } from '#domain/checkout/quote.ts';
import { type LineProblem, quoteAvailableLines, withoutHeldBack } from '#domain/checkout/quote-available-lines.ts';
import type { Fulfilment } from '#domain/orders/status.ts';
import { askQuote, type Customer, type QuoteAnswer, readCustomer, type Wanted } from './checkout-backend.ts';
import type { OfferCodeProps } from './offer-code.tsx';

/** Several presses on a stepper are one question. */
const pause = 250;

export type Totals = {
  /** null before the first answer; what is missing is not known. */
  amounts: Partial<Amounts> | null;
  quote: Quote | null;
  /** What the quote is for; null while the products load. */
  lines: readonly OrderLine[] | null;
  /** Lines that are not in it, and why. */
  heldBack: readonly LineProblem[];
  problem: QuoteProblem | null;
  /** Whose address the amounts are for. */
  customer: Customer | null;
  isBusy: boolean;
  /** Shows a quote that another part of the page has read. */
  show(answer: QuoteAnswer): void;
  askAgain(): void;
};

type Answered = { question: string; answer: QuoteAnswer; heldBack: readonly LineProblem[] };
const nothing: readonly LineProblem[] = [];

/** What the lines cost, asked again whenever they change; the answer to an old question is dropped. */
export function useTotals(
  lines: readonly OrderLine[] | null,
  fulfilment: Fulfilment,
  {
    source = 'cart',
    to = null,
    deliveryOn = null,
    code = null,
  }: Partial<Pick<Wanted, 'source' | 'to' | 'deliveryOn' | 'code'>> = {},
): Totals {
  const session = useSession();
  const [attempt, setAttempt] = useState(0);
  const [answered, setAnswered] = useState<Answered | null>(null);
  const customer = useRef<Customer>(undefined);
  const told = useRef<string>(null);
  const isKnown = lines !== null && session.state !== 'checking';
  const question = JSON.stringify([session.who?.id, attempt, fulfilment, deliveryOn, lines, to, code]);
  const isOpen = !isKnown || (lines.length > 0 && answered?.question !== question);

  const readQuote = useEffectEvent(async () => {
    // After a problem the address may have been corrected since.
    if (!answered?.answer.ok || customer.current?.id !== session.who?.id) customer.current = undefined;
    if (session.who) customer.current ??= (await readCustomer(session)) ?? undefined;
    return quoteAvailableLines(lines ?? [], (some) =>
      askQuote(session, { source, lines: some, fulfilment, to, deliveryOn, code }, customer.current),
    );
  });
  // The question holds everything that can change the answer.
  useEffect(() => {
    if (!isKnown || !isOpen) return;
    let gone = false;
    const timer = setTimeout(async () => {
      const { answer, heldBack } = await readQuote();
      const now: QuoteAnswer = answer ?? { ok: false, problem: { reason: 'none-left' } };
      if (gone) return;
      startTransition(() => setAnswered((before) => ({ question, answer: lasting(before?.answer, now), heldBack })));
    }, pause);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [question, isKnown, isOpen]);

  const problem = answered && !answered.answer.ok ? answered.answer.problem : null;
  const toTell = problem && JSON.stringify(problem);
  // The same reason is told once, however many moves it outlasts.
  useEffect(() => {
    if (toTell === told.current) return;
    told.current = toTell;
    // Who is not signed in, has no address yet or lives too far away reads so below the amounts: nothing went wrong.
    if (isFailure(problem) || problem?.reason === 'no-token') toast('error', totalsMessage(problem));
  }, [toTell, problem]);

  // The address may be changed in another tab; the network may come back.
  const heldBack = answered?.heldBack ?? nothing;
  const isAddress = (problem?.reason === 'failed' && problem.isAddress === true) || heldBack.length > 0;
  const retryOn = isAddress ? 'focus' : problem?.reason === 'offline' ? 'online' : null;
  useEffect(() => {
    if (!retryOn) return;
    const again = () => setAttempt((count) => count + 1);
    window.addEventListener(retryOn, again);
    return () => window.removeEventListener(retryOn, again);
  }, [retryOn]);

  const show = useCallback(
    (answer: QuoteAnswer) => {
      told.current = answer.ok ? null : JSON.stringify(answer.problem);
      setAnswered((before) => ({ question, answer, heldBack: before?.heldBack ?? nothing }));
    },
    [question],
  );
  const isEmpty = lines?.length === 0;
  const quote = answered?.answer.ok && !isEmpty ? answered.answer.quote : null;
  return {
    // The specification resets totals to 0 where they could not be calculated; otherwise they are not known.
    amounts: quote ?? (isEmpty || isFailure(problem) ? noAmounts : answered && {}),
    quote: isOpen ? null : quote,
    lines: lines && withoutHeldBack(lines, heldBack),
    heldBack: isEmpty ? nothing : heldBack,
    problem: isEmpty ? null : problem,
    customer: customer.current ?? null,
    isBusy: isOpen,
    show,
    askAgain: useCallback(() => setAttempt((count) => count + 1), []),
  };
}

/** For an unknown reason: a retry may help. */
function isFailure(problem: QuoteProblem | null): problem is QuoteProblem & { reason: 'failed' } {
  return problem?.reason === 'failed' && problem.sentence === null;
}

/** A session that could not be refreshed ends as "not signed in": keeps the first reason. */
function lasting(before: QuoteAnswer | undefined, now: QuoteAnswer): QuoteAnswer {
  const isSameLoss =
    before && !before.ok && before.problem.reason === 'no-token' && !now.ok && now.problem.reason === 'signed-out';
  return isSameLoss ? before : now;
}

/** What a quote says about the code that was typed. */
export function codeAnswer(quote: Quote | null): OfferCodeProps['answer'] {
  if (quote === null) return null;
  return quote.codeProblem === null ? { state: 'applied' } : { state: 'refused', sentence: quote.codeProblem };
}
