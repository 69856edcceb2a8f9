import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { findSweets, type Sweet } from '#contracts/console/phone-orders.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { useLater } from '../../data/use-later.ts';
import { rupees } from '../order-words.ts';
import { leftWords } from './new-order-data.ts';
import styles from './sweet-picker.module.css';

export type SweetPickerProps = {
  input: RefObject<HTMLInputElement | null>;
  error: string | undefined;
  onPick(sweet: Sweet): void;
};

/** Type a few letters, arrow down, Enter. */
export function SweetPicker({ input, error, onPick }: SweetPickerProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const search = useLater(typed.trim(), 150);
  const { data, isPlaceholderData } = useShopQuery(findSweets, search ? { search } : null);
  const isTyped = typed.trim() !== '';
  const sweets = isTyped ? (data ?? []) : [];
  const isWaiting = isTyped && (search !== typed.trim() || isPlaceholderData);
  const isShown = isOpen && isTyped && (sweets.length > 0 || !isWaiting);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at the top again
  useEffect(() => setActive(0), [search]);

  // Enter came before the answer to what is typed: the first sweet of that answer is meant.
  const entered = useRef<string | null>(null);
  useEffect(() => {
    if (isWaiting || entered.current === null) return;
    const isStillTyped = entered.current === typed.trim();
    entered.current = null;
    if (isStillTyped) pick(sweets[0]);
  });

  function pick(sweet: Sweet | undefined) {
    if (!sweet || sweet.left <= 0) return;
    onPick(sweet);
    setTyped('');
    setOpen(false);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      // What stands there may be an answer to something typed before.
      if (isWaiting) entered.current = typed.trim();
      else pick(sweets[active]);
    } else if (event.key === 'Escape' && isShown) {
      event.stopPropagation();
      entered.current = null;
      setOpen(false);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && sweets.length > 0) {
      event.preventDefault();
      setOpen(true);
      setActive((at) => (at + (event.key === 'ArrowDown' ? 1 : sweets.length - 1)) % sweets.length);
    }
  }

  return (
    <div className={styles.picker}>
      <label htmlFor="sweet-search">Add an item</label>
      <input
        ref={input}
        id="sweet-search"
        name="lines"
        role="combobox"
        autoComplete="off"
        aria-expanded={isShown && sweets.length > 0}
        aria-controls="sweet-choices"
        aria-activedescendant={isShown && sweets[active] ? `sweet-${sweets[active].product_id}` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'sweet-error' : undefined}
        placeholder="Type a name: besan, kaju…"
        maxLength={60}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
        }}
        onBlur={() => {
          entered.current = null;
          setOpen(false);
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && sweets.length === 0 && (
        <p className={`${styles.choices} ${styles.none}`} role="status">
          No item with that name is on sale.
        </p>
      )}
      {isShown && sweets.length > 0 && (
        <div id="sweet-choices" role="listbox" aria-label="Sweets" className={styles.choices}>
          {sweets.map((sweet, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, see onKeyDown
            <div
              key={sweet.product_id}
              id={`sweet-${sweet.product_id}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              aria-disabled={sweet.left <= 0 || undefined}
              data-category={sweet.category}
              // The field keeps the focus, or the list would be gone before the click.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setActive(place)}
              onClick={() => pick(sweet)}
            >
              <span>{sweet.name}</span>
              <span className={styles.facts}>
                {rupees(sweet.price_paise)} {sweet.has_size ? 'for 500 g' : 'a piece'} · {leftWords(sweet)}
              </span>
            </div>
          ))}
        </div>
      )}
      {error && (
        <p id="sweet-error" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
