import { href } from 'react-router';
import type { Found, FoundKind, FoundLine as Line } from '#contracts/console/find.ts';
import { formatPaise } from '#domain/money.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { hrefOf, type Recent, recentFirst } from './recent.ts';
import { screens as all, type Screen, screensFor } from './screens.ts';

export type Choice = {
  key: string;
  to: string;
  title: string;
  detail: string;
  status?: OrderStatus;
};
export type Group = { title: string; choices: Choice[] };

const kindWords: Record<FoundKind, { many: string; list: string }> = {
  order: { many: 'orders', list: `${href('/admin/orders')}?q=` },
  customer: { many: 'customers', list: `${href('/admin/customers')}?q=` },
  product: { many: 'products', list: `${href('/admin/products')}?q=` },
  vendor: { many: 'vendors', list: `${href('/admin/vendors')}?search=` },
};
const titleOf = (kind: FoundKind) => kindWords[kind].many.replace(/^./, (first) => first.toUpperCase());

const mostScreens = 4;
/** Offered while nothing is typed. */
const usual = all.slice(0, mostScreens);

/**
 * The options for what is typed: screens of that name, results, and related screens. Before
 * anything is typed, what was opened last.
 */
export function groupsFor(typed: string, found: Found | null, recent: readonly Recent[]): Group[] {
  const term = typed.trim();
  const { named, related } = screensFor(term);
  const groups = term
    ? [
        screenGroup('Go to', named),
        ...(found?.groups ?? []).map((group) => foundGroup(group, term, recent)),
        screenGroup('Related screens', related),
      ]
    : [{ title: 'Recent', choices: (found?.recent ?? []).map(lineChoice) }, screenGroup('Go to', usual)];
  return groups.filter(({ choices }) => choices.length > 0);
}

const screenGroup = (title: string, screens: readonly Screen[]): Group => ({
  title,
  choices: screens
    .slice(0, mostScreens)
    .map(({ to, title: name }) => ({ key: `screen-${to}`, to, title: name, detail: '' })),
});

function foundGroup(
  { kind, rows, count, count_is_capped }: Found['groups'][number],
  term: string,
  recent: readonly Recent[],
) {
  const choices = recentFirst(rows, recent).map(lineChoice);
  const { many, list } = kindWords[kind];
  if (count > rows.length)
    choices.push({
      key: `all-${kind}`,
      to: `${list}${encodeURIComponent(term)}`,
      title: `See all ${count.toLocaleString('en-IN')}${count_is_capped ? '+' : ''} ${many}`,
      detail: '',
    });
  return { title: titleOf(kind), choices };
}

function lineChoice(line: Line): Choice {
  const placed = line.at ? instantFrom(line.at) : null;
  const detail = [line.detail, line.paise !== undefined && formatPaise(line.paise), placed && formatDay(placed)];
  return {
    key: `${line.kind}-${line.id}`,
    to: hrefOf(line),
    title: line.title,
    detail: detail.filter(Boolean).join(' · '),
    status: line.status,
  };
}
