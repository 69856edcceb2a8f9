import { type KeyboardEvent, useRef, useState } from 'react';
import { BoxFrame, Cup, numbered, Piece } from '#app/parts/box-picture/box-picture.tsx';
import { columnsOf } from '#domain/boxes/box.ts';
import styles from './places.module.css';
import type { UseOpenBox } from './use-open-box.ts';
import type { PieceDrag } from './use-piece-drag.ts';

export type PlacesProps = {
  box: UseOpenBox;
  drag: PieceDrag;
  /** Somebody types while a place has the focus: the beginning of a search. */
  onType(letter: string): void;
};

/** The places of the open box. One of them is in the order of the Tab key; arrows go from place to place. */
export function Places({ box, drag, onType }: PlacesProps) {
  const [active, setActive] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const columns = columnsOf(box.places.length);
  const current = Math.min(active, box.places.length - 1);

  function keys(event: KeyboardEvent, place: number) {
    const steps: Record<string, number> = {
      ArrowRight: place + 1,
      ArrowLeft: place - 1,
      ArrowDown: place + columns,
      ArrowUp: place - columns,
      Home: place - (place % columns),
      End: Math.min(place - (place % columns) + columns, box.places.length) - 1,
    };
    const to = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (to !== undefined) {
      event.preventDefault();
      focusPlace(frame.current, to);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      box.take(place);
    } else if (event.key === 'Escape') {
      box.choose(null);
    } else if (/^\p{L}$/u.test(event.key)) {
      event.preventDefault();
      if (box.chosen !== place) box.choose(place);
      onType(event.key);
    }
  }

  return (
    <BoxFrame places={box.places.length} ref={frame}>
      {numbered(box.places).map(({ place, productId }) => {
        const sweet = productId === null ? undefined : box.find(productId);
        const row = Math.floor(place / columns) + 1;
        const isLifted = drag.dragging?.from === place;
        return (
          <button
            key={place}
            type="button"
            className={styles.place}
            data-place={place}
            data-filled={sweet ? '' : undefined}
            data-over={drag.dragging?.over === place ? '' : undefined}
            aria-pressed={box.chosen === place}
            aria-label={`Place ${place + 1}, row ${row}: ${sweet?.name ?? 'empty'}`}
            tabIndex={place === current ? 0 : -1}
            onFocus={() => setActive(place)}
            onKeyDown={(event) => keys(event, place)}
            onPointerDown={(event) => productId !== null && drag.start(event, { productId, from: place })}
            onClick={() => drag.wasDragged() || box.choose(place)}
          >
            <Cup>
              {sweet && (
                <span key={sweet.productId} className={styles.dropped} data-lifted={isLifted ? '' : undefined}>
                  <Piece of={sweet} />
                </span>
              )}
            </Cup>
          </button>
        );
      })}
    </BoxFrame>
  );
}

export function focusPlace(within: HTMLElement | null, place: number): void {
  within?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus();
}
