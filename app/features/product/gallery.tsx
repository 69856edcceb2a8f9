import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Picture } from '#app/ui/picture.tsx';
import { galleryOf, slideAt } from '#domain/catalog/gallery.ts';
import { offerTag } from '#domain/catalog/offer.ts';
import type { Product, ProductPicture } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './gallery.module.css';

// Few visitors zoom: its code comes with the first press.
const PictureZoom = lazy(() => import('./picture-zoom.tsx'));

export const modalPictureSizes = '(min-width: 769px) 420px, 390px';

type Props = {
  product: Product & { pictures: readonly ProductPicture[] };
  /** How wide one picture is, for `<img sizes>`. */
  sizes: string;
};

/**
 * The product's pictures, never cropped: a row that is swiped on a phone, and one picture with thumbnails below where there
 * is room. The first picture is in the page as it comes from the server; the others are loaded when they come near.
 */
export function Gallery({ product, sizes }: Props) {
  const pictures = galleryOf(product);
  const [shown, setShown] = useState(0);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const track = useRef<HTMLUListElement>(null);
  const tag = offerTag(product);

  const slides = () => [...(track.current?.children ?? [])] as HTMLElement[];
  function show(place: number) {
    const row = track.current;
    const slide = slides()[place];
    if (!row || !slide) return;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    row.scrollTo({ left: slide.offsetLeft - row.offsetLeft, behavior: isStill ? 'auto' : 'smooth' });
  }
  function onScroll() {
    const row = track.current;
    if (!row) return;
    // At its end the last slide counts, though it may not reach the edge.
    const isAtEnd = row.scrollLeft + row.clientWidth >= row.scrollWidth - 2;
    const lefts = slides().map((slide) => slide.offsetLeft - row.offsetLeft);
    setShown(isAtEnd && row.scrollLeft > 0 ? lefts.length - 1 : slideAt(row.scrollLeft, lefts));
  }
  // It may have been swiped before the page came alive.
  const readPlace = useEffectEvent(onScroll);
  useEffect(() => readPlace(), []);
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = Math.min(Math.max(shown + step, 0), pictures.length - 1);
    slides()[next]?.querySelector('button')?.focus({ preventScroll: true });
    show(next);
  }

  function closeZoom(from: number) {
    setZoomed(null);
    // The dialog is gone before it could give the focus back.
    requestAnimationFrame(() => slides()[from]?.querySelector('button')?.focus({ preventScroll: true }));
  }

  return (
    <div className={styles.gallery} data-category={product.category} data-sold-out={!product.available || undefined}>
      <div className={styles.frame}>
        <ul ref={track} className={styles.track} data-alone={pictures.length === 1 || undefined} onScroll={onScroll}>
          {pictures.map(({ image, alt }, place) => (
            <li key={image} className={styles.slide} onPointerMove={followPointer}>
              <Picture
                sources={pictureSources(image)}
                sizes={sizes}
                alt={alt}
                width={960}
                height={960}
                {...(place === 0 ? { fetchPriority: 'high' } : { loading: 'lazy' })}
              />
              {place === 0 && tag && <span className={styles.tag}>{tag}</span>}
              <button
                type="button"
                className={styles.open}
                aria-label={`Zoom in: ${alt}`}
                onClick={() => setZoomed(place)}
                onKeyDown={onKeyDown}
              />
            </li>
          ))}
        </ul>
        {pictures.length > 1 && (
          <span className={styles.count} aria-hidden="true">
            {shown + 1} / {pictures.length}
          </span>
        )}
      </div>
      {pictures.length > 1 && (
        <ul className={styles.thumbs}>
          {pictures.map(({ image, alt }, place) => (
            <li key={image}>
              <button
                type="button"
                aria-label={`Show picture ${place + 1}: ${alt}`}
                aria-current={place === shown ? 'true' : undefined}
                onClick={() => show(place)}
              >
                <Picture sources={pictureSources(image)} sizes="72px" width={72} height={72} loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {zoomed !== null && (
        <Suspense>
          <PictureZoom pictures={pictures} start={zoomed} onClose={() => closeZoom(zoomed)} />
        </Suspense>
      )}
    </div>
  );
}

/** Under a mouse the picture grows around where it points. */
function followPointer({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>) {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  currentTarget.style.setProperty('--x', `${((clientX - left) / width) * 100}%`);
  currentTarget.style.setProperty('--y', `${((clientY - top) / height) * 100}%`);
}
