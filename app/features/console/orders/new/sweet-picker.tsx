import { type RefObject, useState } from 'react';
import { Combobox } from '#app/ui/combobox.tsx';
import { findSweets, type Sweet } from '#contracts/console/phone-orders.ts';
import { formatPaise } from '#domain/money.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { useLater } from '../../data/use-later.ts';
import { leftWords } from './new-order-data.ts';
import styles from './sweet-picker.module.css';

export type SweetPickerProps = {
  input: RefObject<HTMLInputElement | null>;
  error: string | undefined;
  onPick(sweet: Sweet): void;
};

/** Finds what is on sale by a part of its name. */
export function SweetPicker({ input, error, onPick }: SweetPickerProps) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const search = useLater(name, 150);
  const { data, isPlaceholderData } = useShopQuery(findSweets, search ? { search } : null);
  return (
    <Combobox
      id="sweet-search"
      name="lines"
      label="Add an item"
      error={error}
      placeholder="Type a name: besan, kaju…"
      maxLength={60}
      inputRef={input}
      typed={typed}
      onType={setTyped}
      items={name !== '' ? (data ?? []) : []}
      isWaiting={name !== '' && (search !== name || isPlaceholderData)}
      none="No item with that name is on sale."
      keyOf={({ product_id }) => product_id}
      isDisabled={({ left }) => left <= 0}
      onPick={(sweet) => {
        setTyped('');
        onPick(sweet);
      }}
    >
      {(sweet: Sweet) => (
        <span className={styles.sweet} data-category={sweet.category}>
          <span>{sweet.name}</span>
          <span className={styles.facts}>
            {formatPaise(sweet.price_paise)} {sweet.has_size ? 'for 500 g' : 'a piece'} · {leftWords(sweet)}
          </span>
        </span>
      )}
    </Combobox>
  );
}
