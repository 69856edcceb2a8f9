import { useEffect } from 'react';
import type { MetaDescriptor } from 'react-router';
import { isOwnPath } from '#app/backend/own-path.ts';
import { LonelyPage } from '#app/ui/lonely-page.tsx';

export const meta = (): MetaDescriptor[] => [{ title: 'You’re offline' }, { name: 'robots', content: 'noindex' }];

/** The service worker leads here from a page that was never visited (`?to=`); once there is a network, back to it. */
export default function OfflineRoute() {
  useEffect(() => {
    const goOn = () => {
      const { origin, search } = window.location;
      const to = new URLSearchParams(search).get('to') ?? '/';
      window.location.replace(isOwnPath(to, origin) ? to : '/');
    };
    window.addEventListener('online', goOn);
    return () => window.removeEventListener('online', goOn);
  }, []);
  return (
    <LonelyPage title="You’re offline">
      <p>Pages you’ve visited still open, and your cart is saved. This one opens when you’re back online.</p>
    </LonelyPage>
  );
}
