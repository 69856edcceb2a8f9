import type { KeyboardEvent, Ref } from 'react';
import { Piece } from '#app/parts/box-picture/box-picture.tsx';
import { FoodMark } from '#app/ui/food-mark.tsx';
import type { BoxSweet } from '#domain/boxes/box.ts';
import { avoidable, avoidables, isFreeOf } from '#domain/boxes/box-facts.ts';
import { piecePaise } from '#domain/boxes/box-price.ts';
import { withTaxPaise } from '#domain/catalog/price-with-tax.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './tray.module.css';
import type { UseOpenBox } from './use-open-box.ts';
import type { PieceDrag } from './use-piece-drag.ts';

export type TrayProps = {
  box: UseOpenBox;
  sweets: readonly BoxSweet[];
  drag: PieceDrag;
  search: string;
  onSearch(text: string): void;
  searchRef: Ref<HTMLInputElement>;
  /** Enter takes the first that was found, Escape goes back to the box. */
  onAdd(productId: number, isByEnter: boolean): void;
  onLeave(): void;
};

/** The sweets that fit: press one, or drag it into a place. */
export function Tray({ box, sweets, drag, search, onSearch, searchRef, onAdd, onLeave }: TrayProps) {
  const found = sweets.filter((sweet) => matches(sweet, search) && isFreeOf(sweet, box.avoided));
  const first = found.find((sweet) => sweet.isAvailable);

  function keys(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (first) onAdd(first.productId, true);
  }

  return (
    <section className={styles.tray} aria-label="Sweets">
      <div className={styles.tools}>
        <input
          ref={searchRef}
          type="search"
          className={styles.search}
          aria-label="Search sweets"
          placeholder="Search sweets"
          value={search}
          maxLength={60}
          enterKeyHint="done"
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={keys}
        />
        {avoidables.map((what) => (
          <button
            key={what}
            type="button"
            className={styles.avoid}
            aria-pressed={box.avoided.includes(what)}
            onClick={() => box.avoid(what)}
          >
            {avoidable[what]}
          </button>
        ))}
      </div>
      {found.length === 0 ? (
        <p className={styles.none}>No matching sweets. Try fewer filters.</p>
      ) : (
        <ul className={styles.sweets}>
          {found.map((sweet) => (
            <li key={sweet.productId}>
              <Sweet box={box} sweet={sweet} drag={drag} onAdd={onAdd} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type SweetProps = Pick<TrayProps, 'box' | 'drag' | 'onAdd'> & { sweet: BoxSweet };

function Sweet({ box, sweet, drag, onAdd }: SweetProps) {
  const inBox = box.places.filter((place) => place === sweet.productId).length;
  return (
    <button
      type="button"
      className={styles.sweet}
      disabled={!sweet.isAvailable}
      data-category={sweet.category}
      onPointerDown={(event) => drag.start(event, { productId: sweet.productId, from: null })}
      onClick={() => drag.wasDragged() || onAdd(sweet.productId, false)}
    >
      <span className={styles.picture} aria-hidden="true">
        <Piece of={sweet} />
        {inBox > 0 && (
          <span key={inBox} className={styles.count}>
            {inBox}
          </span>
        )}
      </span>
      <span className={styles.name}>
        <span className="visually-hidden">Add </span>
        {sweet.name}
      </span>
      <span className={styles.cost}>
        {sweet.isAvailable ? (
          <>
            {formatPaise(withTaxPaise(piecePaise(sweet), sweet.gstPercent))}
            <span className="visually-hidden"> incl. GST</span> <FoodMark of={sweet.foodMark} />
          </>
        ) : (
          'Out of stock'
        )}
        {inBox > 0 && <span className="visually-hidden">, {inBox} in the box</span>}
      </span>
    </button>
  );
}

/** Every typed word begins a word of the name or its category. */
function matches({ name, category }: BoxSweet, typed: string): boolean {
  const words = `${name} ${category}`.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}
