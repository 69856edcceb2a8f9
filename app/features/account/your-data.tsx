import { useCallback, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { keep, useFile } from '#app/backend/files.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { complaintContacts, type ShopFacts } from '#domain/shop/shop-facts.ts';
import { ConsentList } from './consent-list.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { fetchOwnData, loadErasure } from './own-data.ts';
import { useLoaded } from './use-loaded.ts';
import styles from './your-data.module.css';

export type YourDataProps = { client(): Promise<ShopClient>; shop: ShopFacts; sendsMessages: boolean };

/** Below the profile: which messages come, everything about the customer as a file, and deleting the account. */
export default function YourData({ client, shop, sendsMessages }: YourDataProps) {
  const contacts = complaintContacts(shop);
  return (
    <section className={styles.data} aria-labelledby="your-data">
      <h3 id="your-data">Your data and messages</h3>
      <ConsentList client={client} sendsMessages={sendsMessages} />
      <Download />
      <Deletion client={client} />
      {contacts.length > 0 && (
        <p className={styles.hint}>
          Questions about your data, or something to correct? Write to{' '}
          {shop.grievanceOfficer ? `${shop.grievanceOfficer}, our grievance officer` : 'us'}:{' '}
          {contacts.map(({ text, href }, place) => (
            <span key={href}>
              {place > 0 && ' · '}
              <a href={href}>{text}</a>
            </span>
          ))}
        </p>
      )}
    </section>
  );
}

function Download() {
  const fetchFile = useFile();
  const [pieces, setPieces] = useState<number | null>(null);

  async function download() {
    if (pieces !== null) return;
    setPieces(0);
    const fetched = await fetchOwnData(fetchFile, setPieces);
    setPieces(null);
    if (fetched.ok) keep(fetched.file, 'my-data.zip');
    else toast('error', fetched.message);
  }

  return (
    <div className={styles.part}>
      <h4>Download your data</h4>
      <p>
        Everything we have about you in one ZIP file: profile, addresses, orders, invoices, reviews, messages and
        logins.
      </p>
      <Button isBusy={pieces !== null} onClick={download}>
        Download my data
      </Button>
      <p role="status" className={styles.state}>
        {pieces === null ? '' : pieces === 0 ? 'Preparing your file…' : `Preparing your file, part ${pieces + 1}…`}
      </p>
    </div>
  );
}

function Deletion({ client }: Pick<YourDataProps, 'client'>) {
  const { loaded, reload } = useLoaded(useCallback(async () => loadErasure(await client()), [client]));
  return (
    <div className={styles.part}>
      <h4>Delete your account</h4>
      {loaded.state === 'failed' ? (
        <p>
          We couldn’t check whether your account can be deleted.{' '}
          <Button size="small" onClick={reload}>
            Try again
          </Button>
        </p>
      ) : (
        <DeleteAccount client={client} facts={loaded.state === 'ready' ? loaded.value : null} reload={reload} />
      )}
    </div>
  );
}
