import { Autocomplete } from '@base-ui/react/autocomplete';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import styles from './combobox.module.css';
import { Field } from './field.tsx';
import { controlClass } from './input.tsx';

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
  /** What was found for `typed`. */
  items: readonly Item[];
  /** The items for what was typed last are still on their way. */
  isWaiting?: boolean;
  /** Said when nothing was found. */
  none: string;
  keyOf(item: Item): string | number;
  isDisabled?(item: Item): boolean;
  onPick(item: Item): void;
  children(item: Item): ReactNode;
};

/** Type a few letters, arrow down, Enter: a field that offers what is found elsewhere. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { id, label, error, typed, items, isWaiting = false, keyOf, isDisabled = () => false, onPick } = props;
  const popupPlace = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isTyped = typed.trim() !== '';

  // Enter came before the items for what is typed: the first of them is meant.
  const entered = useRef<string | null>(null);
  useEffect(() => {
    if (isWaiting || entered.current === null) return;
    const isStillTyped = entered.current === typed;
    entered.current = null;
    const first = items[0];
    if (isStillTyped && first !== undefined && !isDisabled(first)) onPick(first);
  });
  function onKeyDown(event: KeyboardEvent & { preventBaseUIHandler(): void }) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // of the form around it
    if (!isWaiting) return;
    event.preventBaseUIHandler();
    entered.current = typed;
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
          id={id}
          name={props.name}
          ref={props.inputRef}
          className={controlClass()}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onKeyDown={onKeyDown}
          onBlur={() => {
            entered.current = null;
          }}
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
