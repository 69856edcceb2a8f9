import { useCallback, useEffect, useId, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { Checkbox } from '#app/ui/checkbox.tsx';
import type { ConsentPurpose } from '#domain/customers/consents.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import styles from './reminder-choice.module.css';

export type ReminderChoiceProps = {
  client(): Promise<ShopClient>;
  /** Where the customer is asked; recorded with the choice. */
  source: 'order' | 'checkout';
  /** Which reminders; left out: those before festivals. */
  of?: ReminderWords;
  /** Asked once: a customer who chose before is not asked again here. */
  isAskedOnce?: boolean;
};

export type ReminderWords = { purpose: ConsentPurpose; label: string; hint: string };

const beforeFestivals: ReminderWords = {
  purpose: 'festival-reminders',
  label: 'Email me my gift list before festivals',
  hint: 'One email before each festival for which you sent gifts last year. You can stop them any time.',
};

type Choice = { agreed: boolean; since: Date | null };

/** Of what my_consents() and choose_consent() return. */
function choiceFrom(answer: unknown, purpose: ConsentPurpose): Choice {
  const all: Record<string, unknown>[] = Array.isArray(answer) ? answer : [];
  const { agreed, since } = all.find((consent) => consent.purpose === purpose) ?? {};
  return { agreed: agreed === true, since: typeof since === 'string' ? instantFrom(since) : null };
}

/** Whether to be reminded: never ticked until the customer ticks it, saved at once. */
export function ReminderChoice({ client, source, of = beforeFestivals, isAskedOnce }: ReminderChoiceProps) {
  const { purpose } = of;
  const hint = useId();
  const [isAsked, setAsked] = useState(true);
  const [stored, setStored] = useState<Choice | 'loading' | 'failed'>('loading');
  const [pending, setPending] = useState<boolean | null>(null);
  const [problem, setProblem] = useState(false);

  const read = useCallback(async () => {
    const { data, error } = await (await client()).rpc('my_consents');
    if (error) throw error;
    return choiceFrom(data, purpose);
  }, [client, purpose]);
  useEffect(() => {
    let isStale = false;
    read().then(
      (choice) => {
        if (isStale) return;
        setStored(choice);
        setAsked(choice.since === null);
      },
      () => isStale || setStored('failed'),
    );
    return () => {
      isStale = true;
    };
  }, [read]);

  async function choose(agreed: boolean) {
    if (pending !== null) return;
    setPending(agreed);
    setProblem(false);
    try {
      const { data, error } = await (await client()).rpc('choose_consent', { purpose, agreed, source });
      if (error) throw error;
      setStored(choiceFrom(data, purpose));
    } catch {
      setProblem(true);
    }
    setPending(null);
  }

  if (isAskedOnce && (!isAsked || typeof stored === 'string')) return null;
  // Without a way to read it there is nothing to choose.
  if (stored === 'failed')
    return <p className={styles.hint}>We couldn’t load your reminders. Please try again later.</p>;
  const known = stored === 'loading' ? null : stored;
  return (
    <div className={styles.choice}>
      <Checkbox
        label={of.label}
        checked={pending ?? known?.agreed ?? false}
        disabled={known === null}
        aria-describedby={hint}
        onChange={(event) => choose(event.target.checked)}
      />
      <p className={styles.hint} id={hint}>
        {of.hint}
      </p>
      <p role="status" className={styles.state}>
        {problem ? 'We couldn’t save this. Please try again.' : known && stateOf(known)}
      </p>
    </div>
  );
}

function stateOf({ agreed, since }: Choice): string {
  if (!since) return '';
  return agreed ? `Reminders are on since ${formatDay(since)}.` : `Reminders are off since ${formatDay(since)}.`;
}
