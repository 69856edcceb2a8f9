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
      <h1>Logging you out…</h1>
      <noscript>
        <p>
          Logging out needs JavaScript. Turn it on and reload this page, or clear this site’s data in your browser’s
          settings.
        </p>
      </noscript>
      <p>
        <Link to="/">Back to the shop</Link>
      </p>
    </main>
  );
}
