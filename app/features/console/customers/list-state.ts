import { z } from '#contracts/z.ts';
import { day } from '../form/inputs.ts';

const words = z.string().max(100).catch('');
const someDay = day().catch('');
const cursor = z.string().max(400).catch('');
const either = z.enum(['', 'yes', 'no']).catch('');

const sorts = ['last_order', 'name', 'value', 'orders'] as const;
type Sort = (typeof sorts)[number];

/** The address of the list of customers. */
export const ListState = z.object({
  q: words,
  city: words,
  tag: words,
  blocked: either,
  ordered: either,
  from: someDay,
  to: someDay,
  sort: z.enum(sorts).catch('last_order'),
  /** Empty: as one expects of the sort. */
  order: z.enum(['', 'asc', 'desc']).catch(''),
  after: cursor,
});
export type ListState = z.infer<typeof ListState>;

export const noFilter = { q: '', city: '', tag: '', blocked: '', ordered: '', from: '', to: '' } as const;
export const isFiltered = (state: ListState) => Object.keys(noFilter).some((name) => state[name as keyof ListState]);

/** Names from the beginning of the alphabet, figures from the highest. */
const natural = (sort: Sort) => (sort === 'name' ? 'asc' : 'desc');
export const isDescending = ({ sort, order }: Pick<ListState, 'sort' | 'order'>) => (order || natural(sort)) === 'desc';

/** What a click on a column's title leads to: that sort, and the other way round the second time. */
export function sortedBy(state: ListState, by: string): Pick<ListState, 'sort' | 'order'> {
  const sort = sorts.find((one) => one === by) ?? 'last_order';
  if (sort !== state.sort) return { sort, order: '' };
  const turned = isDescending(state) ? 'asc' : 'desc';
  return { sort, order: turned === natural(sort) ? '' : turned };
}

const yes = { '': null, yes: true, no: false } as const;

/** Whom the list and its file hold, as admin_list_customers and export_customers take it. */
export function filterOf(state: ListState) {
  return {
    search: state.q,
    city: state.city,
    tag: state.tag,
    blocked: yes[state.blocked],
    has_ordered: yes[state.ordered],
    last_order_from: state.from || null,
    last_order_to: state.to || null,
  };
}

/** The question that the address asks. */
export function questionOf(state: ListState) {
  return {
    ...filterOf(state),
    sort: state.sort,
    descending: isDescending(state),
    after: state.after || null,
  };
}

/** The address of the list of reviews. */
export const ReviewState = z.object({
  q: words,
  shown: z.enum(['all', 'hidden', 'shown']).catch('all'),
  rating: z.enum(['', '1', '2', '3', '4', '5']).catch(''),
  after: cursor,
});
export type ReviewState = z.infer<typeof ReviewState>;

export const reviewQuestionOf = (state: ReviewState) => ({
  search: state.q,
  shown: state.shown,
  rating: state.rating ? Number(state.rating) : null,
  after: state.after || null,
});
