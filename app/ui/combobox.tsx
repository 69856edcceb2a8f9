import { Autocomplete } from '@base-ui/react/autocomplete';
import { type KeyboardEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import styles from './combobox.module.css';
import { controlProps, Field } from './field.tsx';
import { controlClass } from './input.tsx';
import { useEarlyEnter } from './use-early-enter.ts';

export type ComboboxProps<Item> = {
  id: string;
  name?: string;
  label: string;
  error?: string | undefined;
  placeholder?: string;
  maxLength?: number;
  inputRef?: Ref<HTMLInputElement>;
  typed: string;
  onType(typed: string): void;
  /** Found for `typed`. */
  items: readonly Item[];
  /** The items for `typed` have not arrived yet. */
  isWaiting?: boolean;
  /** Shown when nothing was found. */
  none: string;
  keyOf(item: Item): string | number;
  isDisabled?(item: Item): boolean;
  onPick(item: Item): void;
  children(item: Item): ReactNode;
};

/** A text field that offers items found for what is typed: type, arrow down, Enter. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { id, label, error, typed, items, isWaiting = false, keyOf, isDisabled = () => false, onPick } = props;
  const popupPlace = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isTyped = typed.trim() !== '';

  const earlyEnter = useEarlyEnter(typed, isWaiting, () => {
    const first = items[0];
    if (first !== undefined && !isDisabled(first)) onPick(first);
  });
  function onKeyDown(event: KeyboardEvent & { preventBaseUIHandler(): void }) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // of the form around it
    if (!isWaiting) return;
    event.preventBaseUIHandler();
    earlyEnter.press();
  }

  return (
    <Autocomplete.Root
      items={isTyped ? items : []}
      filter={null}
      autoHighlight="always"
      value={typed}
      onValueChange={(text, { reason }) => reason !== 'item-press' && props.onType(text)}
      open={isOpen && isTyped && (items.length > 0 || !isWaiting)}
      onOpenChange={setOpen}
    >
      <Field id={id} label={label} error={error}>
        <Autocomplete.Input
          {...controlProps({ id, error })}
          name={props.name}
          ref={props.inputRef}
          className={controlClass()}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          onKeyDown={onKeyDown}
          onBlur={earlyEnter.cancel}
        />
      </Field>
      <span ref={popupPlace} />
      {/* Beside its field, not at the end of the page: a modal dialog leaves nothing else to press. */}
      <Autocomplete.Portal container={popupPlace}>
        <Autocomplete.Positioner sideOffset={4} className={styles.place}>
          <Autocomplete.Popup className={styles.popup} aria-busy={isWaiting || undefined}>
            <Autocomplete.Empty className={styles.none}>{props.none}</Autocomplete.Empty>
            <Autocomplete.List aria-label={label}>
              {(item: Item) => (
                <Autocomplete.Item
                  key={keyOf(item)}
                  value={item}
                  disabled={isDisabled(item)}
                  className={styles.item}
                  onClick={() => onPick(item)}
                >
                  {props.children(item)}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
