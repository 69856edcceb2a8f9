/** What was typed into a form and not saved, kept while the page is left to log in. */
export type Draft = { path: string; start: Values; changes: Values };
type Values = Record<string, unknown>;
type Typed = { start: Values; values: Values };

/** Where drafts are kept, and the path they belong to. Asking for the storage throws where the browser keeps nothing. */
type Tab = { storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>; path(): string };

const thisTab: Tab = { storage: () => window.sessionStorage, path: () => window.location.pathname };

const key = 'mithaas-drafts';

const forms = new Set<() => Typed>();

/** Forms tell what is typed in them when they are asked. Returns how to leave the list. */
export function followForm(read: () => Typed): () => void {
  forms.add(read);
  return () => forms.delete(read);
}

/** Keeps what is typed in all forms of the page for this tab. False: the browser keeps nothing, so it would be lost. */
export function keepDrafts(tab = thisTab): boolean {
  const path = tab.path();
  const drafts = [...forms].map((read) => draftOf(read(), path)).filter((draft) => draft !== null);
  if (drafts.length === 0) return true;
  try {
    tab.storage().setItem(key, JSON.stringify(drafts));
    return true;
  } catch {
    return false;
  }
}

/** The kept changes of the form that starts with these values on this page. */
export function findDraft(start: Values, tab = thisTab): Values | null {
  return readDrafts(tab).find((draft) => isOf(draft, start, tab))?.changes ?? null;
}

/** Once they are back in their form. */
export function dropDraft(start: Values, tab = thisTab): void {
  const others = readDrafts(tab).filter((draft) => !isOf(draft, start, tab));
  try {
    tab.storage().setItem(key, JSON.stringify(others));
  } catch {} // then there is nothing
}

function readDrafts(tab: Tab): Draft[] {
  try {
    return JSON.parse(tab.storage().getItem(key) ?? '[]');
  } catch {
    return [];
  }
}

const isOf = (draft: Draft, start: Values, tab: Tab) => draft.path === tab.path() && isSame(draft.start, start);

/** Removes drafts on logout, so that none stays on a shared computer. */
export function forgetDrafts(tab = thisTab): void {
  try {
    tab.storage().removeItem(key);
  } catch {} // then there is nothing
}

/** Only fields that were changed, and no pictures: their addresses end with the page. */
function draftOf({ start, values }: Typed, path: string): Draft | null {
  const changes = Object.entries(values).filter(
    ([name, value]) => !isEqual(value, start[name]) && !JSON.stringify([value]).includes('blob:'),
  );
  return changes.length === 0 ? null : { path, start, changes: Object.fromEntries(changes) };
}

/** The same record, as it was: what was typed for one must not end up in another. */
const isSame = (one: Values, other: Values) =>
  Object.keys({ ...one, ...other }).every((name) => isEqual(one[name], other[name]));

/** A field may hold a list, such as the lines of a purchase. */
const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
