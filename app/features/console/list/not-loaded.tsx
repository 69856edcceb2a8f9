import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { Empty, Failed } from '#app/ui/panel.tsx';

/** A list that did not come. Of a page further on that may be the address itself: the way back to the first. */
export function NotLoaded({ first, retry }: { first: string | null; retry(): void }) {
  if (first === null) return <Failed retry={retry} />;
  return (
    <Empty
      title="We couldn’t load this page of the list."
      action={
        <Link className={buttons.small} to={first}>
          First page
        </Link>
      }
    />
  );
}
