import { CardFields, CardPreview } from '#app/parts/gift-card/card-fields.tsx';
import type { GiftErrors } from '#domain/gifts/gift.ts';
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
  return (
    <div className={styles.editor}>
      <div className={styles.fields}>
        <CardFields
          card={card}
          errors={errors}
          noteLabel="Note for everybody"
          noteHint="Recipients with a note of their own get that one."
          onChange={(change) => onChange({ ...card, ...change })}
        />
      </div>
      <CardPreview card={card} shopName={shopName} className={styles.card} />
    </div>
  );
}
