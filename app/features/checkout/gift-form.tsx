import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { GiftCard } from '#app/parts/gift-card/gift-card.tsx';
import { GiftMotif } from '#app/parts/gift-card/gift-motif.tsx';
import { Button } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input, TextArea } from '#app/ui/input.tsx';
import {
  type Gift,
  type GiftErrors,
  giftMotifs,
  longestNote,
  longestSender,
  motifNames,
  noteLength,
} from '#domain/gifts/gift.ts';
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
  const length = noteLength(gift.note);
  const note = { id: `${ids}-note`, label: 'Your note', hint: `${length} of ${longestNote}`, error: errors.note };
  const sender = {
    id: `${ids}-sender`,
    label: 'From',
    hint: 'As it should appear on the card.',
    error: errors.senderName,
  };
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
      <fieldset className={styles.motifs}>
        <legend>Picture on the card</legend>
        {giftMotifs.map((motif) => (
          <label key={motif} title={motifNames[motif]}>
            <input
              type="radio"
              name={`${ids}-motif`}
              aria-label={motifNames[motif]}
              checked={gift.motif === motif}
              onChange={() => changeGift({ motif })}
            />
            <GiftMotif of={motif} />
          </label>
        ))}
      </fieldset>
      <Field {...note}>
        <TextArea
          {...controlProps(note)}
          rows={4}
          dir="auto"
          value={gift.note}
          onChange={(event) => changeGift({ note: event.target.value })}
        />
      </Field>
      <Field {...sender}>
        <Input
          {...controlProps(sender)}
          maxLength={longestSender}
          value={gift.senderName}
          onChange={(event) => changeGift({ senderName: event.target.value })}
        />
      </Field>
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
        <GiftCard
          className={styles.card}
          motif={gift.motif}
          note={gift.note.trim()}
          senderName={gift.senderName.trim()}
          shopName={shopName}
          label="Preview of the card"
        />
        <figcaption>Your card, as we print it (A6).</figcaption>
      </figure>
    </div>
  );
}
