import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { RequestNote } from '#app/ui/request-note.tsx';

/** In place of a page whose data did not come. The frame and the address stay, so that trying again is all there is to do. */
export function PageTrouble({ error }: { error: unknown }) {
  const navigate = useNavigate();
  const here = useLocation();
  const again = () => void navigate(here, { replace: true });
  useEffect(() => {
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  });
  // What browsers throw when a request did not get through.
  const isAway = error instanceof TypeError;
  return (
    <main className="lonely-page">
      <h1>{isAway ? 'The shop cannot be reached right now' : 'Something went wrong'}</h1>
      {isAway && <p>Please check your connection.</p>}
      <button type="button" className={buttons.main} onClick={again}>
        Try again
      </button>
      <RequestNote />
    </main>
  );
}
