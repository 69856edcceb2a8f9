import { useState } from 'react';
import { type Session, useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { ThumbBar } from '#app/ui/thumb-bar.tsx';
import { clearToasts, toast } from '#app/ui/toast.tsx';
import { shippingDetail, taxDetail } from '#domain/checkout/amount-labels.ts';
import type { Amounts } from '#domain/checkout/quote.ts';
import type { GroupDraft } from '#domain/groups/group-draft.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { type Check, checkGroup, openGroup, readGroup } from './group-backend.ts';
import styles from './group-totals.module.css';

/** How paying ended. `unsure`: the money may have left. */
export type PaidOutcome = 'ordered' | 'unsure' | 'refunded' | 'not-paid';
export type PayForGroup = (options: {
  session: Session;
  order: unknown;
  amounts: Amounts;
  onPlacing(): void;
}) => Promise<PaidOutcome>;

export type GroupTotalsProps = {
  draft: GroupDraft;
  /** Of exactly this draft; null: it has to be checked. */
  check: Check | null;
  lastShort: string[];
  /** What is missing before the shop can be asked, in a sentence. */
  missing(): string | null;
  pay: PayForGroup;
  onChecked(check: Check): void;
  onStale(): void;
  /** The payment is opened. */
  onBegun(providerOrderId: string): void;
  /** It is made, or may have been. */
  onPaying(providerOrderId: string): void;
};

type Step = 'checking' | 'opening' | 'paying';
const busyLabels: Record<Step, string> = {
  checking: 'Checking…',
  opening: 'Reserving your boxes…',
  paying: 'Waiting for payment…',
};

/** What it costs, each recipient and in sum, and the one button that leads on. */
export function GroupTotals(props: GroupTotalsProps) {
  const { draft, check, lastShort, missing, pay, onChecked, onStale, onBegun, onPaying } = props;
  const session = useSession();
  const [step, setStep] = useState<Step | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const count = draft.rows.length;
  const amounts = check?.amounts ?? null;
  const ready = check?.key && amounts ? { key: check.key, amounts } : null;
  const recipients = count === 1 ? '1 recipient' : `${count} recipients`;

  async function press() {
    if (step) return;
    setProblem(null);
    clearToasts();
    try {
      if (ready) await payNow(ready.key, { ...ready.amounts, shippingTaxPaise: paise(0) });
      else await checkNow();
    } finally {
      setStep(null);
    }
  }

  async function checkNow() {
    const lacks = missing();
    if (lacks) return setProblem(lacks);
    if (session.state !== 'signed-in') {
      const started = await session.signIn();
      if (!started.ok) toast('error', started.message);
      return;
    }
    setStep('checking');
    const outcome = await checkGroup(session, draft);
    if (outcome.ok) onChecked(outcome.check);
    else setProblem(outcome.message);
  }

  async function payNow(key: string, paid: Amounts) {
    setStep('opening');
    const before = draft.begun && (await readGroup(session.client, draft.begun));
    if (draft.begun && before && before !== 'failed' && before.state === 'ordered') return onPaying(draft.begun);
    const opened = await openGroup(session, draft, key);
    if (!opened.ok) {
      setProblem(opened.message);
      if (opened.isStale) onStale();
      return;
    }
    onBegun(opened.providerOrderId);
    setStep('paying');
    const outcome = await pay({
      session,
      order: opened.order,
      amounts: paid,
      onPlacing: () => onPaying(opened.providerOrderId),
    });
    if (outcome === 'unsure' || outcome === 'ordered') onPaying(opened.providerOrderId);
  }

  return (
    <div className={styles.totals}>
      <dl className={styles.amounts}>
        <Sum label="Recipients" value={count === 0 ? '—' : String(count)} />
        <Sum label="Subtotal" value={amounts ? formatPaise(amounts.subTotalPaise) : '—'} />
        <Sum label="Tax" detail={taxDetail} value={amounts ? formatPaise(amounts.taxPaise) : '—'} />
        <Sum
          label="Shipping charge"
          detail={shippingDetail(0)}
          value={amounts ? formatPaise(amounts.shippingPaise) : '—'}
        />
        <Sum label="Total" value={amounts ? formatPaise(amounts.totalPaise) : '—'} />
      </dl>
      {lastShort.length > 0 && (
        <div role="alert" className={styles.problem}>
          <p>There isn’t enough stock for everybody:</p>
          <ul>
            {lastShort.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      {check?.refused && (
        <p role="alert" className={styles.problem}>
          {check.refused}
        </p>
      )}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <p className={styles.hint} role="status">
        {step ? busyLabels[step] : ready ? 'All set. Prices and delivery days are as shown.' : hintFor(session.state)}
      </p>
      <ThumbBar isInReach={count > 0} label={recipients} sum={amounts ? formatPaise(amounts.totalPaise) : '—'}>
        <Button variant="primary" isBusy={step !== null} onClick={press}>
          {step
            ? busyLabels[step]
            : ready
              ? `Pay ${formatPaise(ready.amounts.totalPaise)}`
              : session.state === 'signed-in'
                ? 'Check the list'
                : 'Log in to check'}
        </Button>
      </ThumbBar>
    </div>
  );
}

const hintFor = (state: Session['state']) =>
  state === 'signed-in'
    ? 'We check every address, day and box before you pay. Nothing is charged yet.'
    : 'Log in to check prices and days. We’ll bring you right back here with your list.';

function Sum({ label, detail = null, value }: { label: string; detail?: string | null; value: string }) {
  return (
    <div>
      <dt>
        {label} {detail && <small>{detail}</small>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
