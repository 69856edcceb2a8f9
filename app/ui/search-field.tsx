import { useCallback, useEffect, useRef, useState } from 'react';
import styles from './search-field.module.css';

export type SearchFieldProps = { label: string; value: string; onSearch(text: string): void; placeholder?: string };

const pauseMs = 250;

/** Searches when the typing pauses; at once on Enter. */
export function SearchField({ label, value, onSearch, placeholder }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  const searched = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  // The address changed without typing, by Back or a link. Our own searches return the same way.
  if (value !== given) {
    setGiven(value);
    if (value !== searched.current) {
      searched.current = value;
      setTyped(value);
    }
  }

  const submit = useCallback((text: string) => {
    searched.current = text.trim();
    search.current(searched.current);
  }, []);
  useEffect(() => {
    if (typed.trim() === searched.current) return;
    const timer = setTimeout(submit, pauseMs, typed);
    return () => clearTimeout(timer);
  }, [typed, submit]);

  return (
    <search className={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(typed);
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
