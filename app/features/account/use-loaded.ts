import { startTransition, useCallback, useEffect, useState } from 'react';

export type Loaded<T> = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; value: T };

const loading = { state: 'loading' } as const;

/** Loads something in the browser, once per `load` and again on `reload`; the late result of an earlier load is dropped. */
export function useLoaded<T>(load: () => Promise<T>): { loaded: Loaded<T>; reload(): void } {
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ load: () => Promise<T>; attempt: number; loaded: Loaded<T> } | null>(null);

  useEffect(() => {
    let isStale = false;
    // Rendered in slices: a long form or list must not keep a tap waiting.
    const show = (loaded: Loaded<T>) => !isStale && startTransition(() => setResult({ load, attempt, loaded }));
    load().then(
      (value) => show({ state: 'ready', value }),
      () => show({ state: 'failed' }),
    );
    return () => {
      isStale = true;
    };
  }, [load, attempt]);

  const isCurrent = result?.load === load && result.attempt === attempt;
  return {
    loaded: isCurrent ? result.loaded : loading,
    reload: useCallback(() => setAttempt((count) => count + 1), []),
  };
}
