import { useCallback, useEffect } from 'react';
import { data, redirect, useNavigate } from 'react-router';
import { SessionProvider, useSession } from '#app/backend/session.tsx';
import { mayHaveSession } from '#app/backend/stored-session.ts';
import { ConsoleFrame } from '#app/features/console/console-frame.tsx';
import { LoadingPage } from '#app/features/console/console-page.tsx';
import { NewOrdersProvider } from '#app/features/console/new-orders.tsx';
import { forgetAnswers } from '#app/features/console/requests.ts';
import { Shortcuts } from '#app/features/console/shortcuts.tsx';
import { TodoProvider } from '#app/features/console/todo.tsx';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Loading } from '#app/ui/panel.tsx';
import { Toaster } from '#app/ui/toast.tsx';
import type { Route } from './+types/console.ts';
import { OpenScreen } from './open-screen.tsx';
import { screenAt } from './screens.ts';

// The screen comes beside its frame, not after it.
if (typeof document !== 'undefined') preload(location.pathname);

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
  const onReturn = useCallback((path: string) => void navigate(path, { replace: true }), [navigate]);
  return (
    <SessionProvider config={publicConfig} onReturn={onReturn}>
      <Inside shopName={shop.name} />
      <Toaster />
    </SessionProvider>
  );
}

/**
 * Nobody but administrators stays here; what keeps the data from others is the server. The frame is there as soon as
 * somebody is known to have signed in, and its screen when it is an administrator.
 */
function Inside({ shopName }: { shopName: string }) {
  const { isAdministrator, state } = useSession();
  const navigate = useNavigate();
  const isExpected = useHydrated() && isAdministrator !== false && mayHaveSession();

  useEffect(() => {
    const isNobody = isAdministrator === false && (state === 'signed-in' || !mayHaveSession());
    if (!isNobody) return;
    forgetAnswers();
    void navigate('/', { replace: true });
  }, [isAdministrator, state, navigate]);

  const waiting = isExpected ? (
    <LoadingPage title="Console" />
  ) : (
    <main className="lonely-page">
      <h1 className="visually-hidden">Console</h1>
      <Loading rows={3} />
    </main>
  );
  if (!isExpected) return waiting;
  return (
    <NewOrdersProvider>
      <TodoProvider>
        <Shortcuts>
          <ConsoleFrame shopName={shopName} onReach={preload}>
            {isAdministrator ? <OpenScreen /> : waiting}
          </ConsoleFrame>
        </Shortcuts>
      </TodoProvider>
    </NewOrdersProvider>
  );
}

function preload(pathname: string): void {
  screenAt(pathname)
    ?.screen.load()
    .catch(() => {}); // told where it is opened
}
