import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and in the first render of the browser, which must be the same; then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

let wasHydrated = false;

/**
 * Like `useHydrated`, for parts that come later: they are drawn in between what the visitor does, where the other holds up
 * everything until all of it is there.
 */
export function useHydratedLater(): boolean {
  const [hydrated, setHydrated] = useState(wasHydrated);
  useEffect(() => {
    wasHydrated = true;
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated;
}

/** Whether a media query holds; null where the page does not know yet. */
export function useMediaQuery(query: string): boolean | null {
  return useSyncExternalStore<boolean | null>(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
    () => null,
  );
}
