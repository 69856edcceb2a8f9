import { useId } from 'react';
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
import styles from './card-fields.module.css';
import { GiftCard } from './gift-card.tsx';
import { GiftMotif } from './gift-motif.tsx';

export type CardText = Pick<Gift, 'motif' | 'note' | 'senderName'>;

export type CardFieldsProps = {
  card: CardText;
  errors: GiftErrors;
  noteLabel: string;
  /** Said behind how long the note is. */
  noteHint?: string;
  onChange(change: Partial<CardText>): void;
};

/** What is printed on a card: its picture, the note and who sends it. */
export function CardFields({ card, errors, noteLabel, noteHint, onChange }: CardFieldsProps) {
  const ids = useId();
  const length = `${noteLength(card.note)} of ${longestNote}`;
  const note = {
    id: `${ids}-note`,
    label: noteLabel,
    hint: noteHint ? `${length}. ${noteHint}` : length,
    error: errors.note,
  };
  const sender = {
    id: `${ids}-sender`,
    label: 'From',
    hint: 'As it should appear on the card.',
    error: errors.senderName,
  };
  return (
    <>
      <fieldset className={styles.motifs}>
        <legend>Picture on the card</legend>
        {giftMotifs.map((motif) => (
          <label key={motif} title={motifNames[motif]}>
            <input
              type="radio"
              name={`${ids}-motif`}
              aria-label={motifNames[motif]}
              checked={card.motif === motif}
              onChange={() => onChange({ motif })}
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
          value={card.note}
          onChange={(event) => onChange({ note: event.target.value })}
        />
      </Field>
      <Field {...sender}>
        <Input
          {...controlProps(sender)}
          maxLength={longestSender}
          value={card.senderName}
          onChange={(event) => onChange({ senderName: event.target.value })}
        />
      </Field>
    </>
  );
}

export function CardPreview({
  card,
  shopName,
  className,
}: {
  card: CardText;
  shopName: string;
  className?: string | undefined;
}) {
  return (
    <GiftCard
      className={`${styles.card} ${className ?? ''}`}
      motif={card.motif}
      note={card.note.trim()}
      senderName={card.senderName.trim()}
      shopName={shopName}
      label="Preview of the card"
    />
  );
}
