import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { mayHaveSession } from '#app/backend/stored-session.ts';
import { forgetDrafts } from '#app/ui/drafts.ts';
import type { Route } from './+types/logout.ts';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Logout · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

/** Signs out and goes home; in the history it leaves nothing that Back would sign out again. */
export default function LogoutRoute() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const begun = useRef(false);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    forgetDrafts();
    const home = () => navigate('/', { replace: true });
    void (mayHaveSession() ? signOut() : Promise.resolve()).then(home, home);
  }, [signOut, navigate]);

  return (
    <main className="lonely-page">
      <h1>Signing you out</h1>
      <noscript>
        <p>
          Your sign-in is kept by this browser, and taking it away needs JavaScript. Turn it on and load this page
          again, or clear the data of this site in the browser’s settings.
        </p>
      </noscript>
      <p>
        <Link to="/">Back to the shop</Link>
      </p>
    </main>
  );
}
