import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import buttons from '#app/ui/button.module.css';

/** What browsers say when a request did not get through. */
const lost = /failed to fetch|networkerror|load failed/i;

/** In place of a page whose data did not come. The frame and the address stay, so that trying again is all there is to do. */
export function PageTrouble({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    const again = () => void revalidate();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [revalidate]);
  const isAway = globalThis.navigator?.onLine === false || (error instanceof TypeError && lost.test(error.message));
  const words = isAway ? 'The shop cannot be reached right now' : 'Something went wrong';
  return (
    <main className="lonely-page">
      <title>{words}</title>
      <div role="alert">
        <h1>{words}</h1>
        <p>{isAway ? 'Please check your connection.' : 'Please try again.'}</p>
      </div>
      <button
        type="button"
        className={buttons.main}
        aria-disabled={state === 'loading'}
        onClick={() => void revalidate()}
      >
        Try again
      </button>
    </main>
  );
}
