import { useId } from 'react';
import { GiftCard } from '#app/parts/gift-card/gift-card.tsx';
import { GiftMotif } from '#app/parts/gift-card/gift-motif.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input, TextArea } from '#app/ui/input.tsx';
import { type GiftErrors, giftMotifs, longestNote, longestSender, motifNames, noteLength } from '#domain/gifts/gift.ts';
import type { GroupCard } from '#domain/groups/recipient.ts';
import styles from './card-editor.module.css';

export type CardEditorProps = {
  card: GroupCard;
  errors: GiftErrors;
  shopName: string;
  onChange(card: GroupCard): void;
};

/** The card in every parcel; a row of the list may have a note of its own. */
export function CardEditor({ card, errors, shopName, onChange }: CardEditorProps) {
  const ids = useId();
  const note = {
    id: `${ids}-note`,
    label: 'Note for everybody',
    hint: `${noteLength(card.note)} of ${longestNote}. Recipients with a note of their own get that one.`,
    error: errors.note,
  };
  const sender = {
    id: `${ids}-sender`,
    label: 'From',
    hint: 'As it should appear on the card.',
    error: errors.senderName,
  };
  return (
    <div className={styles.editor}>
      <div className={styles.fields}>
        <fieldset className={styles.motifs}>
          <legend>Picture on the card</legend>
          {giftMotifs.map((motif) => (
            <label key={motif} title={motifNames[motif]}>
              <input
                type="radio"
                name={`${ids}-motif`}
                aria-label={motifNames[motif]}
                checked={card.motif === motif}
                onChange={() => onChange({ ...card, motif })}
              />
              <GiftMotif of={motif} />
            </label>
          ))}
        </fieldset>
        <Field {...sender}>
          <Input
            {...controlProps(sender)}
            maxLength={longestSender}
            value={card.senderName}
            onChange={(event) => onChange({ ...card, senderName: event.target.value })}
          />
        </Field>
        <Field {...note}>
          <TextArea
            {...controlProps(note)}
            rows={4}
            dir="auto"
            value={card.note}
            onChange={(event) => onChange({ ...card, note: event.target.value })}
          />
        </Field>
      </div>
      <GiftCard
        className={styles.card}
        motif={card.motif}
        note={card.note.trim()}
        senderName={card.senderName.trim()}
        shopName={shopName}
        label="Preview of the card"
      />
    </div>
  );
}
