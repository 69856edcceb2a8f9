import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import type { Crop } from '#domain/products/picture-crop.ts';
import { PictureCropper } from './picture-cropper.tsx';
import styles from './picture-field.module.css';
import { type CutPicture, cutPicture, openPicture } from './picture-files.ts';

type Props = {
  /** An address: of a stored picture, or of one that was just cut. */
  image: string;
  problem: string | undefined;
  /** A new picture to keep with the product, and the address to show it by; null: none. */
  onChange(picture: { address: string; cut: CutPicture } | null): void;
};

/** The product's picture: chosen or dropped, cut to a square, and stored when the product is saved. */
export function PictureField({ image, problem, onChange }: Props) {
  const [bitmap, setBitmap] = useState<ImageBitmap | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const address = useRef<string | null>(null);
  const id = useId();
  useEffect(() => () => void (address.current && URL.revokeObjectURL(address.current)), []);

  async function open(file: File | undefined) {
    if (!file) return;
    const opened = await openPicture(file);
    setRefusal(opened.ok ? null : opened.message);
    if (opened.ok) setBitmap(opened.bitmap);
  }

  function close() {
    bitmap?.close();
    setBitmap(null);
  }

  async function use(crop: Crop) {
    if (!bitmap) return;
    const cut = await cutPicture(bitmap, crop);
    const largest = cut?.at(-1);
    if (!cut || !largest) setRefusal('This browser cannot write WebP pictures. Use Chrome, Edge or Firefox for this.');
    else {
      if (address.current) URL.revokeObjectURL(address.current);
      address.current = URL.createObjectURL(largest.blob);
      onChange({ address: address.current, cut });
    }
    close();
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void open(event.dataTransfer.files[0]);
  }

  const said = refusal ?? problem;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first
    <div
      className={styles.field}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Picture
        sources={pictureSources(image)}
        sizes="160px"
        width={160}
        height={160}
        alt=""
        className={styles.picture}
      />
      <div className={styles.words}>
        <p id={`${id}-help`}>
          A square of it is kept, in three sizes. At least 480 × 480 pixels; JPEG, PNG or WebP. You can also drop a file
          here.
        </p>
        <div className={styles.moves}>
          <button
            type="button"
            className={buttons.small}
            aria-describedby={`${id}-help`}
            onClick={() => input.current?.click()}
          >
            {image === '' ? 'Choose a picture' : 'Change the picture'}
          </button>
          {image !== '' && (
            <button
              type="button"
              className={buttons.small}
              onClick={() => {
                setRefusal(null);
                onChange(null);
              }}
            >
              Remove
            </button>
          )}
        </div>
        {said && (
          <p role="alert" className={styles.refusal}>
            {said}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Picture file"
        onChange={(event) => {
          void open(event.target.files?.[0]);
          event.target.value = ''; // the same file may be chosen again
        }}
      />
      {bitmap && <PictureCropper bitmap={bitmap} onUse={use} onClose={close} />}
    </div>
  );
}
