import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { LonelyPage } from '#app/ui/lonely-page.tsx';
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
  useEffect(() => {
    if (isAway) void showStoredPage();
  }, [isAway]);
  const retry = (
    <Button variant="primary" onClick={again}>
      Try again
    </Button>
  );
  return (
    <LonelyPage title={isAway ? 'We can’t reach the shop right now' : 'Something went wrong'} first={retry}>
      <p>{isAway ? 'Please check your connection.' : 'Please try again in a moment. Your cart is saved.'}</p>
      <RequestNote />
    </LonelyPage>
  );
}

/** The service worker may have the whole page, though not the data that the router asked for. */
async function showStoredPage(): Promise<void> {
  if (!navigator.serviceWorker?.controller) return;
  if (await caches.match(window.location.href.split('#')[0] ?? '', { ignoreVary: true })) window.location.reload();
}
