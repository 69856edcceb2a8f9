import { useSyncExternalStore } from 'react';

const stillMotion = '(prefers-reduced-motion: reduce)';

function watchMotion(listener: () => void): () => void {
  const query = window.matchMedia(stillMotion);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** False on the server and for the first render, like everything that only the browser knows. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    watchMotion,
    () => window.matchMedia(stillMotion).matches,
    () => false,
  );
}

const never = () => () => {};

/** True for what the server wrote and for the render that takes it over. */
export function useIsServerMarkup(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}

/** Storage may be switched off or full; then nothing is remembered and nothing breaks. */
export function remember(store: 'localStorage' | 'sessionStorage', key: string, value: string): void {
  try {
    window[store].setItem(key, value);
  } catch {}
}

export function recall(store: 'localStorage' | 'sessionStorage', key: string): string | null {
  try {
    return window[store].getItem(key);
  } catch {
    return null;
  }
}
