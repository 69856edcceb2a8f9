import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { IconButton } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Picture } from '#app/ui/picture.tsx';
import type { ProductPicture } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './picture-zoom.module.css';

type Props = { pictures: readonly ProductPicture[]; start: number; onClose(): void };

/**
 * A picture as large as the screen; a tap, Enter or + makes it larger still, and then it is moved by scrolling. Arrow keys
 * and buttons go to the other pictures, Escape closes.
 */
export default function PictureZoom({ pictures, start, onClose }: Props) {
  const [place, setPlace] = useState(start);
  const [isLarge, setLarge] = useState(false);
  const pan = useRef<HTMLDivElement>(null);
  const id = useId();
  const picture = pictures[place];
  if (!picture) return null;

  function go(to: number) {
    if (to < 0 || to >= pictures.length) return;
    setPlace(to);
    setLarge(false);
  }
  function toggle(x = 0.5, y = 0.5) {
    const next = !isLarge;
    setLarge(next);
    // Once it is laid out: what was pressed is in the middle.
    requestAnimationFrame(() => {
      const view = pan.current;
      if (!view || !next) return;
      view.scrollTo(view.scrollWidth * x - view.clientWidth / 2, view.scrollHeight * y - view.clientHeight / 2);
    });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === '+' || event.key === '=') isLarge || toggle();
    else if (event.key === '-') isLarge && toggle();
    else if (isLarge) pan.current?.scrollBy(...panBy(event.key));
    else if (event.key === 'ArrowRight') go(place + 1);
    else if (event.key === 'ArrowLeft') go(place - 1);
  }

  return (
    <Dialog open onClose={onClose} labelledBy={`${id}-title`} className={styles.zoom}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys work wherever the focus is inside */}
      <div className={styles.stage} onKeyDown={onKeyDown}>
        <h2 id={`${id}-title`} className="visually-hidden">
          {picture.alt}, picture {place + 1} of {pictures.length}
        </h2>
        <div ref={pan} className={styles.pan} data-large={isLarge || undefined}>
          <button
            type="button"
            data-first-focus
            aria-pressed={isLarge}
            aria-label={isLarge ? 'Zoom out' : 'Zoom in further'}
            onClick={({ currentTarget, clientX, clientY, detail }) => {
              const box = currentTarget.getBoundingClientRect();
              if (detail === 0)
                toggle(); // by the keyboard
              else toggle((clientX - box.left) / box.width, (clientY - box.top) / box.height);
            }}
          >
            <Picture
              key={picture.image}
              sources={pictureSources(picture.image)}
              sizes="960px"
              alt={picture.alt}
              width={960}
              height={960}
            />
          </button>
        </div>
        <IconButton label="Close" isFramed className={styles.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
        {pictures.length > 1 && (
          <div className={styles.steps}>
            <Step label="Previous picture" isLast={place === 0} onGo={() => go(place - 1)} path="M15 5l-7 7 7 7" />
            <span aria-hidden="true">
              {place + 1} / {pictures.length}
            </span>
            <Step
              label="Next picture"
              isLast={place === pictures.length - 1}
              onGo={() => go(place + 1)}
              path="M9 5l7 7-7 7"
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

type StepProps = { label: string; isLast: boolean; path: string; onGo(): void };

function Step({ label, isLast, path, onGo }: StepProps) {
  return (
    <IconButton label={label} isFramed aria-disabled={isLast} onClick={onGo}>
      <Icon>
        <path d={path} />
      </Icon>
    </IconButton>
  );
}

const panStep = 80;

function panBy(key: string): [x: number, y: number] {
  if (key === 'ArrowLeft') return [-panStep, 0];
  if (key === 'ArrowRight') return [panStep, 0];
  if (key === 'ArrowUp') return [0, -panStep];
  return key === 'ArrowDown' ? [0, panStep] : [0, 0];
}
