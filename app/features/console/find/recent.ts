import { type FoundKind, foundKinds } from '#contracts/console/find.ts';
import { z } from '#contracts/z.ts';

/** What was opened, by its id alone: names of customers have no place in a browser's storage. */
export const Recent = z.object({ kind: z.enum(foundKinds), id: z.string().max(40) });
export type Recent = z.infer<typeof Recent>;

const mostRecent = 8;
const areas: Record<FoundKind, string> = {
  order: 'orders',
  customer: 'customers',
  product: 'products',
  vendor: 'vendors',
};

export const hrefOf = ({ kind, id }: Recent) => `/admin/${areas[kind]}/${id}`;

/** What is opened at an address; null for lists, forms and other screens. */
export function recentAt(pathname: string): Recent | null {
  const [, area, id] = /^\/admin\/(\w+)\/([\w-]+)$/.exec(pathname) ?? [];
  const kind = foundKinds.find((one) => areas[one] === area);
  return kind && id && /^(\d+|[0-9a-f-]{36})$/i.test(id) ? { kind, id: id.toLowerCase() } : null;
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
