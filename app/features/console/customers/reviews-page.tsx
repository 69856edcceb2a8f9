import { EmptyState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { listReviews } from '#contracts/console/customers.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { Choice, Filters } from '../list/list-filters.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { NotLoaded } from '../list/not-loaded.tsx';
import { useUrlState } from '../list/url-state.ts';

import { CustomerTabs } from './customer-tabs.tsx';
import { ReviewState, reviewQuestionOf } from './list-state.ts';
import { ReviewList } from './review-list.tsx';

const stars: readonly (readonly [string, string])[] = [
  ['', 'Any rating'],
  ['5', '5 stars'],
  ['4', '4 stars'],
  ['3', '3 stars'],
  ['2', '2 stars'],
  ['1', '1 star'],
];

/** All reviews, newest first, to be hidden and shown. */
export function ReviewsPage() {
  const [state, set, hrefFor] = useUrlState(ReviewState);
  return (
    <ConsolePage title="Reviews">
      <CustomerTabs open="reviews" />
      <Filters>
        <SearchField
          label="Search reviews"
          placeholder="Text or product"
          value={state.q}
          onSearch={(q) => set({ q })}
        />
        <Choice
          label="Hidden"
          value={state.shown}
          options={[
            ['all', 'Shown and hidden'],
            ['shown', 'Shown'],
            ['hidden', 'Hidden'],
          ]}
          onChange={(shown) => set({ shown: shown as ReviewState['shown'] })}
        />
        <Choice
          label="Rating"
          value={state.rating}
          options={stars}
          onChange={(rating) => set({ rating: rating as ReviewState['rating'] })}
        />
      </Filters>
      <List state={state} hrefFor={hrefFor} />
    </ConsolePage>
  );
}

type ListProps = { state: ReviewState; hrefFor(changes: Partial<ReviewState>): string };

function List({ state, hrefFor }: ListProps) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(
    listReviews,
    reviewQuestionOf(state),
  );
  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel lines={3} />
        <BlankPanel lines={3} />
        <BlankPanel lines={3} />
      </LoadingShape>
    );
  const first = state.after === '' ? null : hrefFor({});
  if (isLoadingError) return <NotLoaded first={first} retry={refetch} />;
  const { rows } = data;
  if (rows.length === 0)
    return state.q || state.rating || state.shown !== 'all' ? (
      <EmptyState title="No matching reviews." text="Try fewer words or another rating." />
    ) : (
      <EmptyState title="No reviews yet." text="Customer reviews appear here." />
    );
  return (
    <div>
      <ReviewList reviews={rows} isStale={isPlaceholderData} onChanged={refetch} />
      <ListPager page={data} after={state.after} hrefFor={hrefFor} />
    </div>
  );
}
