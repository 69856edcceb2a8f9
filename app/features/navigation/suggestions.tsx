import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { searchText } from '#domain/catalog/search-text.ts';
import { formatCount, formatPaise, paiseFromRupees } from '#domain/money.ts';
import type { SuggestionsProps } from './search-form.tsx';
import styles from './suggestions.module.css';
import { type Sweet, useSuggestions } from './use-suggestions.ts';

/** The list under the search field, moved through with the arrows while the typing goes on (the combobox pattern). */
export default function Suggestions({ field, shopSearch }: SuggestionsProps) {
  const { config } = useSession();
  const navigate = useNavigate();
  const list = useId();
  const { text, hasFocus } = useField(field);
  const answer = useSuggestions(config, text);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [active, setActive] = useState({ of: '', at: -1 });

  const sweets = answer.state === 'ready' ? answer.sweets : [];
  const addresses =
    answer.state === 'ready' ? [...sweets.map(({ Id }) => `/product/${Id}`), shopSearch(answer.text)] : [];
  const isOpen = hasFocus && answer.state !== 'none' && closedFor !== text;
  // Another answer, another list: nothing is chosen in it yet.
  const at = isOpen && answer.state === 'ready' && active.of === answer.text ? active.at : -1;

  const keys = useRef((_event: KeyboardEvent) => {});
  keys.current = (event) => {
    const count = addresses.length;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen) setClosedFor(text);
      else field.current?.blur();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (count === 0 || answer.state !== 'ready') return;
      event.preventDefault();
      setClosedFor(null);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // From the field to the first or last, and from there back to the field.
      setActive({ of: answer.text, at: ((at + 1 + step + count + 1) % (count + 1)) - 1 });
    } else if (event.key === 'Enter' && addresses[at] && !event.isComposing) {
      event.preventDefault();
      leave();
      void navigate(addresses[at]);
    }
  };
  const leave = () => field.current?.blur();

  useEffect(() => {
    const input = field.current;
    if (!input) return;
    const onKey = (event: KeyboardEvent) => keys.current(event);
    input.addEventListener('keydown', onKey);
    return () => input.removeEventListener('keydown', onKey);
  }, [field]);

  // The field was there before this list: it gets its part of the pattern now.
  useEffect(() => {
    const input = field.current;
    if (!input) return;
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-expanded', String(isOpen && addresses.length > 0));
    if (isOpen && addresses.length > 0) input.setAttribute('aria-controls', list);
    else input.removeAttribute('aria-controls');
    if (at >= 0) input.setAttribute('aria-activedescendant', `${list}-${at}`);
    else input.removeAttribute('aria-activedescendant');
    if (at >= 0) document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [field, list, isOpen, at, addresses.length]);

  if (!isOpen) return null;
  const option = (place: number) =>
    ({
      role: 'option',
      id: `${list}-${place}`,
      tabIndex: -1,
      'aria-selected': place === at,
      className: styles.option,
      to: addresses[place] ?? '',
      onClick: leave,
      onPointerMove: () => answer.state === 'ready' && place !== at && setActive({ of: answer.text, at: place }),
    }) as const;
  return (
    // The field keeps the focus whatever is pressed here, or it would close before the press is over.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, it is prevented
    <div className={styles.panel} onMouseDown={(event) => event.preventDefault()}>
      <p role="status" className={answer.state === 'ready' && answer.found > 0 ? 'visually-hidden' : styles.said}>
        {said(answer)}
      </p>
      {answer.state === 'ready' && (
        <div role="listbox" id={list} aria-label="Suggestions">
          {sweets.map((sweet, place) => (
            <Link key={sweet.Id} {...option(place)} data-category={sweet.Category}>
              <SweetRow sweet={sweet} />
            </Link>
          ))}
          <Link {...option(sweets.length)} data-all>
            {answer.found > 0 ? (
              <>See {answer.found === 1 ? 'it' : `all ${formatCount(answer.found)}`} in the shop</>
            ) : (
              'Ask us for it'
            )}
          </Link>
        </div>
      )}
    </div>
  );
}

function SweetRow({ sweet }: { sweet: Sweet }) {
  return (
    <>
      <Picture
        className={styles.picture}
        sources={pictureSources(sweet.Image)}
        sizes="56px"
        width={56}
        height={56}
        data-sold-out={!sweet.isavailable || undefined}
      />
      <span className={styles.name}>
        <b>{sweet.Name}</b>
        <small>{sweet.Category}</small>
      </span>
      <span className={styles.price}>
        {sweet.isavailable ? formatPaise(paiseFromRupees(sweet.Price)) : 'Out of stock'}
      </span>
    </>
  );
}

function said(answer: ReturnType<typeof useSuggestions>): string {
  if (answer.state === 'away') return 'We can’t reach the shop right now. Please check your connection.';
  if (answer.state !== 'ready') return '';
  if (answer.found === 0)
    return `No results for “${answer.text}”.${answer.sweets.length > 0 ? ' You might like:' : ''}`;
  return `${formatCount(answer.found)} ${answer.found === 1 ? 'item' : 'items'} found. Use the arrow keys to choose.`;
}

/** The text in the field from before this code was loaded, and whether it has the focus. */
function useField(field: RefObject<HTMLInputElement | null>): { text: string; hasFocus: boolean } {
  const [text, setText] = useState(() => searchText(field.current?.value ?? ''));
  const [hasFocus, setFocus] = useState(() => document.activeElement === field.current);
  useEffect(() => {
    const input = field.current;
    if (!input) return;
    const heard = new AbortController();
    const on = (name: string, act: () => void) => input.addEventListener(name, act, { signal: heard.signal });
    const read = () => setText(searchText(input.value));
    on('input', read);
    on('focus', () => {
      read();
      setFocus(true);
    });
    on('blur', () => setFocus(false));
    read();
    setFocus(document.activeElement === input);
    return () => heard.abort();
  }, [field]);
  return { text, hasFocus };
}
