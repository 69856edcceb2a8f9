import { useCallback, useEffect, useId, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { formatDay, instantFrom } from '#domain/time.ts';
import styles from './reminder-choice.module.css';

export type ReminderChoiceProps = {
  client(): Promise<ShopClient>;
  /** Where the customer is asked; recorded with the choice. */
  source: 'order' | 'checkout';
};

type Choice = { agreed: boolean; since: Date | null };

const purpose = 'festival-reminders';

/** Of what my_consents() and choose_consent() return. */
function choiceFrom(answer: unknown): Choice {
  const all: Record<string, unknown>[] = Array.isArray(answer) ? answer : [];
  const { agreed, since } = all.find((consent) => consent.purpose === purpose) ?? {};
  return { agreed: agreed === true, since: typeof since === 'string' ? instantFrom(since) : null };
}

/** Whether to be reminded of last year’s gifts before a festival: never ticked until the customer ticks it, saved at once. */
export function ReminderChoice({ client, source }: ReminderChoiceProps) {
  const hint = useId();
  const [stored, setStored] = useState<Choice | 'loading' | 'failed'>('loading');
  const [pending, setPending] = useState<boolean | null>(null);
  const [problem, setProblem] = useState(false);

  const read = useCallback(async () => {
    const { data, error } = await (await client()).rpc('my_consents');
    if (error) throw error;
    return choiceFrom(data);
  }, [client]);
  useEffect(() => {
    let isStale = false;
    read().then(
      (choice) => isStale || setStored(choice),
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
      setStored(choiceFrom(data));
    } catch {
      setProblem(true);
    }
    setPending(null);
  }

  // Without a way to read it there is nothing to choose.
  if (stored === 'failed')
    return <p className={styles.hint}>We couldn’t load your reminders. Please try again later.</p>;
  const known = stored === 'loading' ? null : stored;
  return (
    <div className={styles.choice}>
      <Checkbox
        label="Email me my gift list before festivals"
        checked={pending ?? known?.agreed ?? false}
        disabled={known === null}
        aria-describedby={hint}
        onChange={(event) => choose(event.target.checked)}
      />
      <p className={styles.hint} id={hint}>
        One email before each festival for which you sent gifts last year. You can stop them any time.
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
