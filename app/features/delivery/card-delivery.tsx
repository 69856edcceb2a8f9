import styles from './card-delivery.module.css';
import { useCardNote } from './card-notes.ts';

/** On a product's card: by when it arrives at the visitor's pincode. Its line is there from the start, so nothing moves. */
export function CardDelivery({ productId }: { productId: number }) {
  const note = useCardNote(productId);
  return (
    <p className={styles.line} data-tone={note?.tone}>
      {note?.text}
    </p>
  );
}
