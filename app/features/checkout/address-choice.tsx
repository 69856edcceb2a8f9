import { useId, useState } from 'react';
import { Link } from 'react-router';
import { AddressForm } from '#app/parts/address-form/address-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { addressLine, type BookAddress, mostAddresses } from '#domain/addresses/address-book.ts';
import type { Profile } from '#domain/profile.ts';
import styles from './address-choice.module.css';
import type { Parcel } from './use-parcel.ts';

export type AddressChoiceProps = {
  parcel: Pick<Parcel, 'to' | 'addresses' | 'reload' | 'choose' | 'save'>;
  /** The profile's address; null while it is not known. */
  own: Profile | null;
  /** The choice is made: one was added, or the one that is marked is to be used. */
  onDone?(): void;
};

/** The customer's own address, those of the address book, and room for another one. */
export default function AddressChoice({ parcel, own, onDone }: AddressChoiceProps) {
  const { to, addresses, reload, choose, save } = parcel;
  const [edited, setEdited] = useState<BookAddress | 'new' | null>(null);
  const name = useId();
  const list = Array.isArray(addresses) ? addresses : [];

  const ownLine = own ? addressLine(own) : '';

  if (edited)
    return (
      <AddressForm
        key={edited === 'new' ? 'new' : edited.id}
        stored={edited === 'new' ? null : edited}
        saveLabel="Save and send here"
        save={async (fields) => {
          const problem = await save(fields, edited === 'new' ? null : edited.id);
          if (problem === null) {
            setEdited(null);
            onDone?.();
          }
          return problem;
        }}
        onCancel={() => setEdited(null)}
      />
    );
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Send it to</legend>
      <div className={styles.entry}>
        <label>
          <input type="radio" name={name} checked={to === null} onChange={() => choose(null)} />
          <span>
            <strong>My address</strong>
            <small>{own && (ownLine || 'Not complete yet')}</small>
          </span>
        </label>
        <Link to="/profile">
          {own && !ownLine ? 'Complete it' : 'Edit'}
          <span className="visually-hidden"> in your profile</span>
        </Link>
      </div>
      {addresses === 'loading' && <Skeleton className={styles.toCome} />}
      {addresses === 'failed' && (
        <FailedState
          title="We couldn’t load your addresses."
          text="Check your connection and try again."
          retry={reload}
        />
      )}
      {list.map((address) => (
        <div key={address.id} className={styles.entry}>
          <label>
            <input type="radio" name={name} checked={to?.id === address.id} onChange={() => choose(address.id)} />
            <span>
              <strong>{address.label}</strong>
              <small>
                {[address.name !== address.label && address.name, addressLine(address)].filter(Boolean).join(' · ')}
              </small>
            </span>
          </label>
          <Button variant="text" onClick={() => setEdited(address)}>
            Edit <span className="visually-hidden">{address.label}</span>
          </Button>
        </div>
      ))}
      <div className={styles.next}>
        {onDone && (
          <Button variant="primary" onClick={onDone}>
            Use this address
          </Button>
        )}
        {list.length < mostAddresses && <Button onClick={() => setEdited('new')}>Add an address</Button>}
      </div>
    </fieldset>
  );
}
