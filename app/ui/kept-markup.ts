import { createContext, type ReactElement } from 'react';

/**
 * While the server renders: gives the markup of a part, rendered once for the same key. The key must hold all that the
 * part shows. The browser renders the part itself and finds the markup it expects.
 */
// Pure, so that the browser's code goes without it.
export const KeptMarkup = /* @__PURE__ */ createContext<(key: string, part: ReactElement) => string>(() => {
  throw new Error('only the server keeps markup');
});
