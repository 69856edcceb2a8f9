import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';

/** A list that did not come. Of a page further on that may be the address itself: the way back to the first. */
export function NotLoaded({ first, retry }: { first: string | null; retry(): void }) {
  if (first === null) return <FailedState retry={retry} />;
  return (
    <EmptyState
      title="We couldn’t load this page of the list."
      action={
        <ButtonLink size="small" to={first}>
          First page
        </ButtonLink>
      }
    />
  );
}
