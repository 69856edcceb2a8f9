import { useSyncExternalStore } from 'react';
import { recall, remember } from '#app/backend/remembered.ts';
import { type BoxLists, countBoxes, noBoxes, parseBoxLists, serializeBoxLists } from '#domain/boxes/box-lists.ts';
import { currentBasket, showBasket } from './basket-state.ts';
import { boxCountKey } from './box-count.ts';

const key = 'mithaas-boxes';

let read: { text: string | null; lists: BoxLists } | undefined;

/** What this browser stores now; another tab may have changed it. The same lists while the text is the same. */
export function currentBoxes(): BoxLists {
  const text = recall('localStorage', key);
  if (!read || read.text !== text) read = { text, lists: parseBoxLists(text, Date.now()) };
  return read.lists;
}

/** Stores both lists for seven days from now. False where the browser stores nothing. */
export function storeBoxes(lists: BoxLists): boolean {
  const now = Date.now();
  if (!remember('localStorage', key, serializeBoxLists(lists, now))) return false;
  remember('localStorage', boxCountKey, `${countBoxes(lists.cart) + countBoxes(lists.checkout)} ${now}`);
  showChange();
  return true;
}

const listeners = new Set<() => void>();

/** The badge is drawn again with the basket. */
function showChange(): void {
  showBasket({ ...currentBasket() });
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  // Another tab may change them.
  if (listeners.size === 0) window.addEventListener('storage', showChange);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', showChange);
  };
}

export function useBoxes(): BoxLists {
  return useSyncExternalStore(listen, currentBoxes, () => noBoxes);
}
