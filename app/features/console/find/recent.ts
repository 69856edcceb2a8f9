import { href } from 'react-router';
import { type FoundKind, foundKinds } from '#contracts/console/find.ts';
import { z } from '#contracts/z.ts';

/** What was opened, by its id alone: names of customers have no place in a browser's storage. */
export const Recent = z.object({ kind: z.enum(foundKinds), id: z.string().max(40) });
export type Recent = z.infer<typeof Recent>;

const mostRecent = 8;
const hrefs = {
  order: (id: string) => href('/admin/orders/:id', { id }),
  customer: (id: string) => href('/admin/customers/:id', { id }),
  product: (id: string) => href('/admin/products/:id', { id }),
  vendor: (id: string) => href('/admin/vendors/:id', { id }),
} satisfies Record<FoundKind, (id: string) => string>;

export const hrefOf = ({ kind, id }: Recent) => hrefs[kind](id);

/** What a screen opens; null for lists and forms, and for addresses that lead to nothing. */
export function recentFrom({ opens, id }: { opens?: FoundKind; id?: string }): Recent | null {
  return opens && id && /^(\d+|[0-9a-f-]{36})$/i.test(id) ? { kind: opens, id: id.toLowerCase() } : null;
}

const isSame = (one: Recent, other: Recent) => one.kind === other.kind && one.id === other.id;

export const withRecent = (before: readonly Recent[], opened: Recent): Recent[] =>
  [opened, ...before.filter((other) => !isSame(other, opened))].slice(0, mostRecent);

/** What was opened lately comes before the rest, the latest first. */
export function recentFirst<Row extends Recent>(rows: readonly Row[], recent: readonly Recent[]): Row[] {
  const place = (row: Row) => {
    const at = recent.findIndex((one) => isSame(one, row));
    return at === -1 ? recent.length : at;
  };
  return rows.toSorted((one, other) => place(one) - place(other));
}

const storageKey = 'mithaas-console-recent';

export function readRecent(): Recent[] {
  try {
    return z
      .array(Recent)
      .parse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
      .slice(0, mostRecent);
  } catch {
    return [];
  }
}

export function rememberRecent(opened: Recent): void {
  localStorage.setItem(storageKey, JSON.stringify(withRecent(readRecent(), opened)));
}
