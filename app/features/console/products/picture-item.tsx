import { useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Input } from '#app/ui/input.tsx';
import { Picture } from '#app/ui/picture.tsx';
import type { ProductPicture } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { maxAltLength, plainAlt } from '#domain/products/more-pictures.ts';
import styles from './pictures-field.module.css';

type Props = {
  picture: ProductPicture;
  place: number;
  count: number;
  onAlt(alt: string): void;
  onMove(to: number): void;
  onCrop(): void;
  onDelete(): void;
};

/** One of the product's pictures, with what can be done to it. */
export function PictureItem({ picture, place, count, onAlt, onMove, onCrop, onDelete }: Props) {
  const id = useId();
  // As typed: the list holds it without the space that begins the next word.
  const [typed, setTyped] = useState(picture.alt);
  const title = place === 0 ? 'Main picture' : `Picture ${place + 1}`;
  const button = (label: string, act: () => void, isDisabled = false) => (
    <Button size="small" aria-label={`${label}: ${title}`} disabled={isDisabled} onClick={act}>
      {label}
    </Button>
  );
  return (
    <li className={styles.item}>
      <Picture
        sources={pictureSources(picture.image)}
        sizes="120px"
        width={120}
        height={120}
        alt=""
        className={styles.picture}
      />
      <div className={styles.about}>
        <strong>{title}</strong>
        {place === 0 ? (
          <span className={styles.hint}>Described by the product’s name.</span>
        ) : (
          <>
            <label htmlFor={id} className={styles.hint}>
              What does picture {place + 1} show?
            </label>
            <Input
              id={id}
              value={plainAlt(typed) === picture.alt ? typed : picture.alt}
              maxLength={maxAltLength}
              placeholder="A laddu broken open"
              onChange={(event) => {
                setTyped(event.target.value);
                onAlt(plainAlt(event.target.value));
              }}
            />
          </>
        )}
        <div className={styles.moves}>
          {count > 1 && button('Move up', () => onMove(place - 1), place === 0)}
          {count > 1 && button('Move down', () => onMove(place + 1), place === count - 1)}
          {button('Crop', onCrop)}
          {button('Delete', onDelete)}
        </div>
      </div>
    </li>
  );
}
