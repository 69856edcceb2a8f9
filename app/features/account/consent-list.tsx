import { useCallback, useId, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Consent } from '#domain/customers/consents.ts';
import { formatMoment } from '#domain/time.ts';
import { consentWords, historyOf, stateOf } from './consent-words.ts';
import { chooseConsent, loadConsents } from './own-data.ts';
import { useLoaded } from './use-loaded.ts';
import styles from './your-data.module.css';

type ConsentListProps = { client(): Promise<ShopClient>; sendsMessages: boolean };

/** A switch for each purpose, saved at once, and the log of all choices. Messages about orders have none. */
export function ConsentList({ client, sendsMessages }: ConsentListProps) {
  const { loaded, reload } = useLoaded(useCallback(async () => loadConsents(await client()), [client]));
  const [saved, setSaved] = useState<Consent[] | null>(null);

  if (loaded.state === 'loading')
    return (
      <div className={styles.part}>
        <Skeleton className={styles.toCome} aria-busy="true" />
      </div>
    );
  if (loaded.state === 'failed')
    return (
      <p className={styles.part}>
        We couldn’t load your choices.{' '}
        <Button size="small" onClick={reload}>
          Try again
        </Button>
      </p>
    );
  const consents = saved ?? loaded.value;
  const choices = historyOf(consents);
  const isOffered = ({ purpose, agreed }: Consent) =>
    sendsMessages || agreed || (purpose !== 'whatsapp' && purpose !== 'sms');
  return (
    <div className={styles.part}>
      <p>
        Emails about your orders always come: placed, on the way, delivered, refunded. What else may we send you? You
        can change your mind any time.
      </p>
      <ul className={styles.consents}>
        {consents.filter(isOffered).map((consent) => (
          <li key={consent.purpose}>
            <ConsentSwitch consent={consent} client={client} onSaved={setSaved} />
          </li>
        ))}
      </ul>
      {choices.length > 0 && (
        <details className={styles.history}>
          <summary>All your choices ({choices.length})</summary>
          <ol>
            {choices.map(({ key, at, what }) => (
              <li key={key}>
                <time dateTime={at.toISOString()}>{formatMoment(at)}</time> {what}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

type ConsentSwitchProps = {
  consent: Consent;
  client(): Promise<ShopClient>;
  onSaved(consents: Consent[]): void;
};

function ConsentSwitch({ consent, client, onSaved }: ConsentSwitchProps) {
  const { label, hint } = consentWords[consent.purpose];
  const id = useId();
  const [pending, setPending] = useState<boolean | null>(null);
  const [hasFailed, setFailed] = useState(false);

  async function choose(agreed: boolean) {
    if (pending !== null) return;
    setPending(agreed);
    setFailed(false);
    try {
      onSaved(await chooseConsent(await client(), consent.purpose, agreed));
    } catch {
      setFailed(true);
    }
    setPending(null);
  }

  return (
    <>
      <Checkbox
        label={label}
        checked={pending ?? consent.agreed}
        aria-describedby={id}
        onChange={(event) => choose(event.target.checked)}
      />
      <div className={styles.about}>
        <p id={id}>{hint}</p>
        <p role="status" className={styles.state}>
          {hasFailed ? 'We couldn’t save this. Please try again.' : stateOf(consent)}
        </p>
      </div>
    </>
  );
}
