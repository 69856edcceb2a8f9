import { useCallback, useEffect, useState } from 'react';
import { forget, recall, remember } from '#app/backend/remembered.ts';
import { type BoxLine, type BoxPage, type BoxSize, columnsOf, type Place, placesFor } from '#domain/boxes/box.ts';
import { type Avoidable, avoidables, isFreeOf } from '#domain/boxes/box-facts.ts';
import { fillRest } from '#domain/boxes/fill-box.ts';
import * as box from '#domain/boxes/open-box.ts';

/** Kept for this tab, so that a reload loses nothing. */
const key = 'mithaas-open-box';

type Draft = { boxId: number; places: readonly Place[]; avoided: readonly Avoidable[] };

export type Said = { text: string; count: number };

/** The box that is being filled, and what to say about each change. */
export function useOpenBox({ sizes, sweets }: BoxPage, firstSize: BoxSize) {
  const [size, setSize] = useState(firstSize);
  const [open, setOpen] = useState(() => box.openBox(placesFor([], firstSize.places)));
  const [avoided, setAvoided] = useState<readonly Avoidable[]>([]);
  const [said, setSaid] = useState<Said>({ text: '', count: 0 });

  const find = useCallback((productId: number) => sweets.find((sweet) => sweet.productId === productId), [sweets]);
  const nameOf = (productId: number | null | undefined) => (productId && find(productId)?.name) || 'Sweet';
  const isOffered = (productId: number) => find(productId)?.isAvailable === true;
  const offered = sweets.filter((sweet) => sweet.isAvailable && isFreeOf(sweet, avoided));

  const say = (text: string) => setSaid(({ count }) => ({ text, count: count + 1 }));
  const left = (places: readonly Place[]) => {
    const empty = places.filter((place) => place === null).length;
    if (empty === 0) return 'The box is full.';
    return empty === 1 ? '1 place left.' : `${empty} places left.`;
  };
  function change(next: box.OpenBox, text: string) {
    setOpen(next);
    say(`${text} ${left(next.places)}`);
    remember('sessionStorage', key, JSON.stringify({ boxId: size.id, places: next.places, avoided } satisfies Draft));
  }

  return {
    size,
    ...open,
    avoided,
    offered,
    said,
    find,
    say,
    canUndo: open.earlier.length > 0,
    isFull: !open.places.includes(null),
    isEmpty: open.places.every((place) => place === null),
    /** Into a place, or where the next one goes. The place it went to; null: the box is full. */
    add(productId: number, place = box.nextPlace(open)): number | null {
      if (place === null) {
        say('The box is full. Choose a place to change it.');
        return null;
      }
      change(box.put(open, place, productId), `${nameOf(productId)} in place ${place + 1}.`);
      return place;
    },
    take(place: number) {
      const productId = open.places[place];
      if (productId) change(box.take(open, place), `${nameOf(productId)} removed from place ${place + 1}.`);
    },
    move(from: number, to: number) {
      const other = open.places[to];
      const text = `${nameOf(open.places[from])} moved to place ${to + 1}${other ? `, ${nameOf(other)} to place ${from + 1}` : ''}.`;
      change(box.swap(open, from, to), text);
    },
    choose: (place: number | null) => setOpen(box.choose(open, place)),
    fillRest() {
      if (offered.length === 0) return say('No sweet fits what you leave out.');
      change(box.refill(open, fillRest(open.places, offered, columnsOf(size.places))), 'Filled with our suggestion.');
    },
    clear: () => change(box.refill(open, placesFor([], size.places)), 'All sweets removed.'),
    undo: () => open.earlier.length > 0 && change(box.undo(open), 'Undone.'),
    resize(next: BoxSize) {
      setSize(next);
      const resized = box.resize(open, next.places);
      setOpen(resized);
      say(`${next.name}, ${next.places} places. ${left(resized.places)}`);
      remember('sessionStorage', key, JSON.stringify({ boxId: next.id, places: resized.places, avoided }));
    },
    avoid(what: Avoidable) {
      const next = avoided.includes(what) ? avoided.filter((other) => other !== what) : [...avoided, what];
      setAvoided(next);
      remember('sessionStorage', key, JSON.stringify({ boxId: size.id, places: open.places, avoided: next }));
    },
    /** Opens a box that lies in the cart. Sweets that can no longer be had leave their places: how many. */
    openAgain({ boxId, contents }: Omit<BoxLine, 'quantity'>): number {
      const again = sizes.find(({ id }) => id === boxId) ?? firstSize;
      const before = placesFor(contents, again.places);
      const places = box.without(before, isOffered);
      setSize(again);
      setOpen(box.openBox(places));
      return before.filter((place, index) => place !== places[index]).length;
    },
    /** The box of this tab's last visit. */
    recallDraft() {
      const draft = recalledDraft();
      const again = sizes.find(({ id }) => id === draft?.boxId);
      if (!draft || !again || draft.places.length !== again.places) return;
      setSize(again);
      setOpen(box.openBox(box.without(draft.places, isOffered)));
      setAvoided(draft.avoided);
    },
    startAgain() {
      forget('sessionStorage', key);
      setOpen(box.openBox(placesFor([], size.places)));
    },
  };
}

export type UseOpenBox = ReturnType<typeof useOpenBox>;

function recalledDraft(): Draft | null {
  try {
    const { boxId, places, avoided } = JSON.parse(recall('sessionStorage', key) ?? 'null') ?? {};
    if (!Number.isInteger(boxId) || !Array.isArray(places)) return null;
    return {
      boxId,
      places: places.map((place) => (Number.isInteger(place) ? place : null)),
      avoided: avoidables.filter((what) => Array.isArray(avoided) && avoided.includes(what)),
    };
  } catch {
    return null;
  }
}

/** Ctrl or ⌘ with Z, wherever the focus is on this page, but not while something is typed. */
export function useUndoKey(undo: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.value !== '';
      if (isTyping || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      undo();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
}
