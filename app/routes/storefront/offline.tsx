import { useEffect } from 'react';
import type { MetaDescriptor } from 'react-router';
import { LonelyPage } from '#app/ui/lonely-page.tsx';

export const meta = (): MetaDescriptor[] => [{ title: 'You’re offline' }, { name: 'robots', content: 'noindex' }];

/** The service worker shows it in place of a page that was never visited; the address stays that page's. */
export default function OfflineRoute() {
  useEffect(() => {
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <LonelyPage title="You’re offline">
      <p>Pages you’ve visited still open, and your cart is saved. This one loads when you’re back online.</p>
    </LonelyPage>
  );
}
