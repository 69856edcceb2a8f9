import { Pager } from '#app/ui/data-table.tsx';
import { cursorToText } from './url-state.ts';

export type ListPagerProps = {
  page: { rows: readonly unknown[]; next?: unknown; count: number; count_is_capped: boolean };
  /** The cursor in the address; '': the first page. */
  after: string;
  hrefFor(changes: { after: string }): string;
};

/** The way to the next page of a list whose cursor is in the address, and back to the first. */
export function ListPager({ page: { rows, next, count, count_is_capped }, after, hrefFor }: ListPagerProps) {
  const cursor = typeof next === 'string' ? next : cursorToText(next ?? null);
  return (
    <Pager
      next={cursor === '' ? null : hrefFor({ after: cursor })}
      first={after === '' ? null : hrefFor({ after: '' })}
      count={count}
      countIsCapped={count_is_capped}
      shown={rows.length}
    />
  );
}
