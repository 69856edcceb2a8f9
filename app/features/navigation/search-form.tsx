import { type ComponentType, type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { searchText } from '#domain/catalog/search-text.ts';
import { SearchIcon, searchFieldId } from './navigation-icons.tsx';
import styles from './search-form.module.css';

export type SuggestionsProps = { field: RefObject<HTMLInputElement | null>; shopSearch(text: string): string };

const shopSearch = (text: string) => (text ? `/shop?${new URLSearchParams({ q: text })}` : '/shop');

/**
 * A plain form that leads to /shop?q=, with or without scripts. Suggestions are loaded when it gets the focus, and
 * takes up what is typed by then. Without a connection the visitor stays on the page that can still be read; on a slow one the
 * field stays, and the pending bar shows that something is under way.
 */
export default function SearchForm() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const q = pathname === '/shop' ? searchText(new URLSearchParams(search).get('q') ?? '') : '';
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef(q);
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>();
  const [isAway, setAway] = useState(false);
  const [isBusy, setBusy] = useState(false);

  function reach() {
    if (Suggestions) return;
    import('./suggestions.tsx').then(
      (part) => {
        setAway(false);
        setSuggestions(() => part.default);
      },
      () => setAway(true),
    );
  }
  const reachNow = useRef(reach);
  reachNow.current = reach;

  useEffect(() => {
    // The field may have the focus before this code runs.
    if (document.activeElement === field.current) reachNow.current();
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping =
        target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog');
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  // The page is about something else now; what is typed before the first change is left alone.
  useEffect(() => {
    if (shown.current !== q && field.current) field.current.value = q;
    shown.current = q;
  }, [q]);

  // What was missing can be had again.
  useEffect(() => {
    if (!isAway) return;
    const back = () => {
      setAway(false);
      reachNow.current();
    };
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [isAway]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!navigator.onLine) return setAway(true);
    setAway(false);
    setBusy(true);
    field.current?.blur();
    await navigate(shopSearch(searchText(field.current?.value ?? '')));
    setBusy(false);
  }

  return (
    <search
      className={styles.search}
      data-kept={q || isBusy ? '' : undefined}
      aria-busy={isBusy || undefined}
      onPointerEnter={reach}
      onTouchStart={reach}
      onFocus={reach}
      onInput={reach}
    >
      <form action="/shop" onSubmit={submit}>
        <label htmlFor={searchFieldId}>
          <SearchIcon />
        </label>
        <input
          ref={field}
          id={searchFieldId}
          name="q"
          aria-label="Search sweets"
          placeholder="Search sweets"
          defaultValue={q}
          maxLength={80}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="search"
          enterKeyHint="search"
        />
        <button type="submit">Search</button>
      </form>
      {Suggestions && !isAway && <Suggestions field={field} shopSearch={shopSearch} />}
      {isAway && (
        <p role="status" className={styles.away}>
          We can’t reach the shop right now. Please check your connection.
        </p>
      )}
    </search>
  );
}
