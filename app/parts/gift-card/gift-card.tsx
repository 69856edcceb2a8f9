import { type GiftMotif as Motif, noteSize } from '#domain/gifts/gift.ts';
import styles from './gift-card.module.css';
import { GiftMotif } from './gift-motif.tsx';

export type GiftCardProps = {
  motif: Motif;
  /** Shown as it was typed, with its line breaks. */
  note: string;
  senderName: string;
  shopName: string;
  /** What a screen reader calls it. */
  label: string;
  className?: string | undefined;
};

/** The card in the parcel, A6: on paper in the console, and as a preview in the shop. Everything on it is sized by its width. */
export function GiftCard({ motif, note, senderName, shopName, label, className }: GiftCardProps) {
  return (
    <article className={className ? `${styles.card} ${className}` : styles.card} aria-label={label}>
      <div className={styles.sheet}>
        <GiftMotif of={motif} className={styles.motif} />
        <div className={styles.words}>
          {note && (
            <p className={styles.note} data-size={noteSize(note)} dir="auto">
              {note}
            </p>
          )}
          <p className={styles.sender}>
            <small>With love from</small>
            <bdi>{senderName}</bdi>
          </p>
        </div>
        <p className={styles.shop}>{shopName}</p>
      </div>
    </article>
  );
}
