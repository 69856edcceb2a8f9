import { useCallback, useEffect, useRef, useState } from 'react';
import styles from './search-field.module.css';

export type SearchFieldProps = { label: string; value: string; onSearch(text: string): void; placeholder?: string };

const pauseMs = 250;

/** Searches when the typing pauses; at once on Enter. */
export function SearchField({ label, value, onSearch, placeholder }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  const asked = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  // The address changed without typing: Back, or a link. What was asked here comes back the same way.
  if (value !== given) {
    setGiven(value);
    if (value !== asked.current) {
      asked.current = value;
      setTyped(value);
    }
  }

  const ask = useCallback((text: string) => {
    asked.current = text.trim();
    search.current(asked.current);
  }, []);
  useEffect(() => {
    if (typed.trim() === asked.current) return;
    const timer = setTimeout(ask, pauseMs, typed);
    return () => clearTimeout(timer);
  }, [typed, ask]);

  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(typed);
        }}
      >
        <input
          type="search"
          aria-label={label}
          placeholder={placeholder ?? label}
          value={typed}
          maxLength={100}
          data-search
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </search>
  );
}
