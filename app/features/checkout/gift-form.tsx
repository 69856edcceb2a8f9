import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { CardFields, CardPreview } from '#app/parts/gift-card/card-fields.tsx';
import { Button } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import type { Gift, GiftErrors } from '#domain/gifts/gift.ts';
import styles from './gift-form.module.css';

export type GiftFormProps = {
  gift: Gift;
  errors: GiftErrors;
  changeGift(change: Partial<Gift>): void;
  shopName: string;
  /** Whose parcel it is; null: it goes to the buyer's own address. */
  recipient: string | null;
  onChangeAddress(): void;
};

/** What the card says, beside the card as it is printed. */
export default function GiftForm({ gift, errors, changeGift, shopName, recipient, onChangeAddress }: GiftFormProps) {
  const ids = useId();
  const fields = useRef<HTMLDivElement>(null);
  const email = {
    id: `${ids}-email`,
    label: 'Their email (optional)',
    hint: 'We write once: “A box is on its way.” No prices.',
    error: errors.recipientEmail,
  };
  const wrong = Object.keys(errors).join();
  // Said when Buy Now was pressed: the first field that is wrong.
  useEffect(() => {
    if (wrong) fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [wrong]);

  return (
    <div className={styles.form} ref={fields}>
      <p className={styles.to}>
        {recipient ? (
          <>
            For <strong>{recipient}</strong>.{' '}
          </>
        ) : (
          'It goes to your own address. '
        )}
        <Button variant="text" onClick={onChangeAddress} aria-haspopup="dialog">
          {recipient ? 'Send it to someone else' : 'Choose who gets it'}
        </Button>
        {' · '}
        <Link to="/gifts/group">Send to many people</Link>
      </p>
      <CardFields card={gift} errors={errors} noteLabel="Your note" onChange={changeGift} />
      <Field {...email}>
        <Input
          {...controlProps(email)}
          type="email"
          inputMode="email"
          value={gift.recipientEmail}
          onChange={(event) => changeGift({ recipientEmail: event.target.value })}
        />
      </Field>
      <figure className={styles.preview}>
        <CardPreview card={gift} shopName={shopName} className={styles.card} />
        <figcaption>Your card, as we print it (A6).</figcaption>
      </figure>
    </div>
  );
}
