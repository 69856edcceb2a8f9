import { startTransition, useCallback, useEffect, useState } from 'react';

export type Loaded<T> = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; value: T };

/** Loads something in the browser, once per `load` and again on `reload`; a late answer to an old question is dropped. */
export function useLoaded<T>(load: () => Promise<T>): { loaded: Loaded<T>; reload(): void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to load again
  useEffect(() => {
    let gone = false;
    setLoaded({ state: 'loading' });
    // Rendered in slices: a long form or list must not keep a tap waiting.
    const show = (next: Loaded<T>) => !gone && startTransition(() => setLoaded(next));
    load().then(
      (value) => show({ state: 'ready', value }),
      () => show({ state: 'failed' }),
    );
    return () => {
      gone = true;
    };
  }, [load, attempt]);

  return { loaded, reload: useCallback(() => setAttempt((count) => count + 1), []) };
}
