import { Suspense, useCallback, useEffect } from 'react';
import { data, redirect, useLocation, useNavigate } from 'react-router';
import { SessionProvider, useSession } from '#app/backend/session.tsx';
import { mayHaveSession } from '#app/backend/stored-session.ts';
import { ConsoleFrame } from '#app/features/console/console-frame.tsx';
import { NewOrdersProvider } from '#app/features/console/new-orders.tsx';
import { forgetAnswers } from '#app/features/console/requests.ts';
import { Shortcuts } from '#app/features/console/shortcuts.tsx';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { Loading } from '#app/ui/panel.tsx';
import { Toaster } from '#app/ui/toast.tsx';
import type { Route } from './+types/console.ts';
import NotFound from './not-found.tsx';
import { screenAt } from './screens.ts';

// The screen comes beside its frame, not after it.
if (typeof document !== 'undefined') void screenAt(location.pathname)?.load();

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!params['*']) throw redirect('/admin/dashboard');
  const shop = context.get(shopContext);
  const { shop: facts } = await loadPageFrame(shop);
  const status = screenAt(`/admin/${params['*']}`) ? 200 : 404;
  return data({ shop: facts, publicConfig: shop.publicConfig }, { status });
}

export const shouldRevalidate = () => false;

export const meta: Route.MetaFunction = () => [{ title: 'Console' }, { name: 'robots', content: 'noindex' }];

export default function Console({ loaderData: { shop, publicConfig } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const screen = screenAt(useLocation().pathname);
  const onReturn = useCallback((path: string) => void navigate(path, { replace: true }), [navigate]);
  return (
    <SessionProvider config={publicConfig} onReturn={onReturn}>
      <Gate>
        <NewOrdersProvider>
          <Shortcuts>
            <ConsoleFrame shopName={shop.name}>
              <Suspense fallback={<Loading rows={6} />}>
                {screen ? <screen.Screen key={screen.path} params={screen.params} /> : <NotFound />}
              </Suspense>
            </ConsoleFrame>
          </Shortcuts>
        </NewOrdersProvider>
      </Gate>
      <Toaster />
    </SessionProvider>
  );
}

/** Nobody but administrators stays here; what keeps the data from others is the server. */
function Gate({ children }: { children: React.ReactNode }) {
  const { isAdministrator, state } = useSession();
  const navigate = useNavigate();

  useEffect(() => {
    const isNobody = isAdministrator === false && (state === 'signed-in' || !mayHaveSession());
    if (!isNobody) return;
    forgetAnswers();
    void navigate('/', { replace: true });
  }, [isAdministrator, state, navigate]);

  if (isAdministrator) return children;
  return (
    <main className="lonely-page">
      <h1 className="visually-hidden">Console</h1>
      <Loading rows={3} />
    </main>
  );
}
