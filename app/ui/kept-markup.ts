import { type ComponentType, createContext, createElement, type ReactElement, useContext } from 'react';

/**
 * While the server renders: gives what stands in the page for the markup of a part, which is rendered once for the same
 * key. The key must hold all that the part shows, and the part must ask nothing of the page around it. The browser renders
 * the part itself and finds the markup it expects.
 */
// Pure, so that the browser's code goes without it.
export const KeptMarkup = /* @__PURE__ */ createContext<(key: string, part: ReactElement) => string>(() => {
  throw new Error('only the server keeps markup');
});

/** On the server only: a part that shows nothing but its props, which are data. */
export function keptBy<Props extends object>(name: string, Part: ComponentType<Props>): ComponentType<Props> {
  return (props) => useContext(KeptMarkup)(name + JSON.stringify(props), createElement(Part, props));
}
