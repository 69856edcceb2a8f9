import { z } from '#contracts/z.ts';

export const states = {
  current: 'All except archived',
  available: 'Available',
  sold_out: 'Out of stock',
  listed: 'Listed',
  facts_missing: 'Listed, details missing',
  offer_unbacked: 'Offer without price cut',
  unlisted: 'Not listed',
  archived: 'Archived',
  all: 'All, with archived',
} as const;

export const stocks = { any: 'Any stock', low: 'Low stock', out: 'No stock' } as const;

const keys = <T extends Record<string, string>>(words: T) => Object.keys(words) as [keyof T & string];

/** The sorts as one chooses them; the first is how the list begins. */
export const sorts = {
  'name up': 'Name A–Z',
  'changed down': 'Last changed',
  'price up': 'Price low–high',
  'price down': 'Price high–low',
  'stock up': 'Least stock',
  'stock down': 'Most stock',
  'margin up': 'Lowest margin',
  'margin down': 'Highest margin',
  'rating down': 'Best rated',
  'rating up': 'Worst rated',
  'name down': 'Name Z–A',
  'changed up': 'Oldest changes first',
} as const;
const sortKeys = ['name', 'price', 'stock', 'rating', 'margin', 'changed'] as const;

/** What the list of products shows, as its address says it. */
export const ListState = z.object({
  q: z.string().max(120).catch('').default(''),
  category: z.string().max(40).catch('').default(''),
  state: z.enum(keys(states)).catch('current').default('current'),
  stock: z.enum(keys(stocks)).catch('any').default('any'),
  sort: z.enum(sortKeys).catch('name').default('name'),
  order: z.enum(['up', 'down']).catch('up').default('up'),
  view: z.enum(['list', 'grid']).catch('list').default('list'),
  after: z.string().catch('').default(''),
});
export type ListState = z.infer<typeof ListState>;

/** As admin_list_products and export_products take it. */
export const filterOf = ({ q, category, state, stock }: ListState) => ({ search: q, category, state, stock });

export const isFiltered = ({ q, category, state, stock }: ListState): boolean =>
  q !== '' || category !== '' || state !== 'current' || stock !== 'any';
