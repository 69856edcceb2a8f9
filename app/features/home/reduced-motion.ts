import { useMediaQuery } from '#app/ui/after-hydration.ts';

/** False where the page does not know yet. */
export function useReducedMotion(): boolean {
  return useMediaQuery('(prefers-reduced-motion: reduce)') === true;
}
