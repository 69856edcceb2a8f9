import { useCallback, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { deleteAddress, readAddresses, saveAddress } from '#app/parts/address-book.ts';
import { AddressForm } from '#app/parts/address-form/address-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type AddressFields, addressLine, type BookAddress, mostAddresses } from '#domain/addresses/address-book.ts';
import styles from './address-book.module.css';
import { useLoaded } from './use-loaded.ts';

export type AddressBookProps = { client(): Promise<ShopClient>; userId: string };

/** Where else the customer sends parcels: family, friends, the office. Their own address is the profile above. */
export default function AddressBook({ client, userId }: AddressBookProps) {
  const { loaded, reload } = useLoaded(useCallback(async () => readAddresses(await client()), [client]));
  const [edited, setEdited] = useState<BookAddress | 'new' | null>(null);
  const [asked, setAsked] = useState<BookAddress | null>(null);

  async function save(fields: AddressFields): Promise<string | null> {
    const id = edited === 'new' || edited === null ? null : edited.id;
    const saved = await saveAddress(await client(), userId, fields, id).catch(() => null);
    if (!saved?.ok) return saved?.message ?? 'We couldn’t save this address. Please try again.';
    setEdited(null);
    reload();
    return null;
  }

  async function remove({ id }: BookAddress) {
    const isGone = await deleteAddress(await client(), id).catch(() => false);
    setAsked(null);
    if (!isGone) return toast('error', 'We couldn’t delete this address. Please try again.');
    reload();
  }

  const form = (
    <AddressForm
      key={edited === 'new' ? 'new' : edited?.id}
      stored={edited === 'new' ? null : edited}
      saveLabel="Save address"
      save={save}
      onCancel={() => setEdited(null)}
    />
  );
  const addresses = loaded.state === 'ready' ? loaded.value : [];
  return (
    <section className={styles.book} aria-labelledby="address-book">
      <h3 id="address-book">Address book</h3>
      <p className={styles.lead}>For gifts and other places you send to. Choose one at checkout.</p>
      {loaded.state === 'failed' && (
        <FailedState
          title="We couldn’t load your addresses."
          text="Check your connection and try again."
          retry={reload}
        />
      )}
      {addresses.length > 0 && (
        <ul className={styles.addresses} aria-labelledby="address-book">
          {addresses.map((address) => (
            <li key={address.id}>
              {edited !== 'new' && edited?.id === address.id ? (
                form
              ) : (
                <Entry address={address} onEdit={() => setEdited(address)} onDelete={() => setAsked(address)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {edited === 'new' && form}
      {loaded.state === 'ready' && edited === null && addresses.length < mostAddresses && (
        <Button onClick={() => setEdited('new')}>Add an address</Button>
      )}
      <ConfirmDialog
        open={asked !== null}
        title={`Delete “${asked?.label ?? ''}” from your address book?`}
        text="Orders that were sent there stay as they are."
        confirmLabel="Delete address"
        closeLabel="Keep it"
        tone="danger"
        onConfirm={() => asked && remove(asked)}
        onClose={() => setAsked(null)}
      />
    </section>
  );
}

type EntryProps = { address: BookAddress; onEdit(): void; onDelete(): void };

function Entry({ address, onEdit, onDelete }: EntryProps) {
  const { label, name, phone } = address;
  return (
    <div className={styles.entry}>
      <p>
        <strong>{label}</strong>
        {name !== label && <span>{name}</span>}
        <span>{addressLine(address)}</span>
        <span>{phone}</span>
      </p>
      <div className={styles.actions}>
        <Button size="small" onClick={onEdit}>
          Edit <span className="visually-hidden">{label}</span>
        </Button>
        <Button size="small" onClick={onDelete} aria-haspopup="dialog">
          Delete <span className="visually-hidden">{label}</span>
        </Button>
      </div>
    </div>
  );
}
