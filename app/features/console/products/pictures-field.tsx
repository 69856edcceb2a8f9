import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import type { ProductPicture } from '#domain/catalog/product.ts';
import { moveItem } from '#domain/move-item.ts';
import { maxPictures } from '#domain/products/more-pictures.ts';
import type { Crop } from '#domain/products/picture-crop.ts';
import { PictureCropper } from './picture-cropper.tsx';
import { type CutPicture, cutPicture, openPicture } from './picture-files.ts';
import { PictureItem } from './picture-item.tsx';
import styles from './pictures-field.module.css';

type Props = {
  /** In the order in which customers see them; addresses of stored pictures, or of ones that were just cropped. */
  pictures: readonly ProductPicture[];
  problem: string | undefined;
  onChange(pictures: ProductPicture[]): void;
  /** A new picture to store with the product, and the address to show it by. */
  onCut(address: string, cut: CutPicture): void;
};
/** What is being cropped: a new picture, or the one at a place of the list. */
type Cropping = { bitmap: ImageBitmap; place: number | null };

/** The product's pictures: added, cropped to squares, ordered and deleted; stored when the product is saved. */
export function PicturesField({ pictures, problem, onChange, onCut }: Props) {
  const [cropping, setCropping] = useState<Cropping | null>(null);
  const [waiting, setWaiting] = useState<File[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const addresses = useRef<string[]>([]);
  const id = useId();
  useEffect(() => () => addresses.current.forEach((address) => void URL.revokeObjectURL(address)), []);
  // Several files are cropped one after the other.
  const latest = useRef(pictures);
  latest.current = pictures;
  const isFull = pictures.length >= maxPictures;

  async function add(files: readonly File[]) {
    const room = files.slice(0, maxPictures - latest.current.length);
    setRefusal(room.length < files.length ? `A product can have up to ${maxPictures} pictures.` : null);
    await openNext(room);
  }

  async function openNext([file, ...others]: readonly File[]) {
    setWaiting(others);
    if (!file) return setCropping(null);
    const opened = await openPicture(file);
    if (opened.ok) return setCropping({ bitmap: opened.bitmap, place: null });
    setRefusal(opened.message);
    await openNext(others);
  }

  async function cropAgain(place: number, image: string) {
    const file = await fetch(image)
      .then((response) => response.blob())
      .catch(() => null);
    const opened = file ? await openPicture(file) : { ok: false as const, message: 'We couldn’t load this picture.' };
    setRefusal(opened.ok ? null : opened.message);
    if (opened.ok) setCropping({ bitmap: opened.bitmap, place });
  }

  async function close() {
    cropping?.bitmap.close();
    setCropping(null);
    await openNext(waiting);
  }

  async function use(crop: Crop) {
    if (!cropping) return;
    const cut = await cutPicture(cropping.bitmap, crop);
    const largest = cut?.at(-1);
    if (!cut || !largest) setRefusal('This browser can’t save pictures for the shop. Use Chrome, Edge or Firefox.');
    else {
      const image = URL.createObjectURL(largest.blob);
      addresses.current.push(image);
      onCut(image, cut);
      const { place } = cropping;
      onChange(
        place === null
          ? [...latest.current, { image, alt: '' }]
          : latest.current.map((one, at) => (at === place ? { ...one, image } : one)),
      );
    }
    await close();
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void add([...event.dataTransfer.files]);
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
      {pictures.length > 0 && (
        <ol className={styles.list} aria-label="Pictures of the product">
          {pictures.map((picture, place) => (
            <PictureItem
              key={picture.image}
              picture={picture}
              place={place}
              count={pictures.length}
              onAlt={(alt) => onChange(pictures.map((one, at) => (at === place ? { ...one, alt } : one)))}
              onMove={(to) => onChange(moveItem(pictures, place, to))}
              onCrop={() => void cropAgain(place, picture.image)}
              onDelete={() => {
                setRefusal(null);
                onChange(pictures.filter((_, at) => at !== place));
              }}
            />
          ))}
        </ol>
      )}
      <div className={styles.words}>
        <Button size="small" aria-describedby={`${id}-help`} disabled={isFull} onClick={() => input.current?.click()}>
          {pictures.length === 0 ? 'Add picture' : 'Add more pictures'}
        </Button>
        <p id={`${id}-help`}>
          Up to {maxPictures}. The first is shown on cards, in the cart and on orders. At least 480 × 480 pixels; JPEG,
          PNG or WebP. You can also drop files here.
        </p>
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
        multiple
        hidden
        aria-label="Picture file"
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          event.target.value = ''; // the same file may be chosen again
        }}
      />
      {cropping && <PictureCropper key={waiting.length} bitmap={cropping.bitmap} onUse={use} onClose={close} />}
    </div>
  );
}
