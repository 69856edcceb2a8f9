import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { preloadSession } from '#app/backend/preload-session.ts';
import { SessionProvider, useSession } from '#app/backend/session.tsx';
import { mayHaveSession } from '#app/backend/stored-session.ts';
import { CategoriesProvider } from '#app/features/console/data/categories.tsx';
import { useCurrentScreen } from '#app/features/console/data/current-screen.ts';
import { NewOrdersProvider } from '#app/features/console/data/new-orders.tsx';
import { createQueryClient } from '#app/features/console/data/query-client.ts';
import { useTodoUpdates } from '#app/features/console/data/todo.ts';
import { ConsoleFrame } from '#app/features/console/frame/console-frame.tsx';
import { ConsolePage, LoadingPage } from '#app/features/console/frame/console-page.tsx';
import { consoleView } from '#app/features/console/frame/console-view.ts';
import { rememberAdmission, wasAdmittedBefore } from '#app/features/console/frame/last-admission.ts';
import { Shortcuts } from '#app/features/console/frame/shortcuts.tsx';
import { SignInAgain } from '#app/features/console/frame/sign-in-again.tsx';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { Toaster } from '#app/ui/toast.tsx';
import type { Route } from './+types/layout.ts';

// The session comes beside the frame, not after it.
if (typeof document !== 'undefined' && mayHaveSession()) preloadSession();

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const { shop: facts, categories } = await loadPageFrame(shop);
  return { shop: facts, categories, publicConfig: shop.publicConfig };
}

export const shouldRevalidate = () => false;

export const meta: Route.MetaFunction = () => [{ title: 'Console' }, { name: 'robots', content: 'noindex' }];

export default function ConsoleLayout({ loaderData: { shop, categories, publicConfig } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const [queries] = useState(createQueryClient);
  const onReturn = useCallback((path: string) => void navigate(path, { replace: true }), [navigate]);
  return (
    <SessionProvider config={publicConfig} onReturn={onReturn}>
      <QueryClientProvider client={queries}>
        <CategoriesProvider first={categories}>
          <Inside shopName={shop.name} />
        </CategoriesProvider>
      </QueryClientProvider>
      <Toaster />
    </SessionProvider>
  );
}

/**
 * Redirects everyone but administrators; what keeps the data from others is the server. The frame comes with the document
 * and is visible where a session is stored; its screen comes when an administrator is signed in.
 */
function Inside({ shopName }: { shopName: string }) {
  const session = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { title } = useCurrentScreen();
  const isHydrated = useHydrated();
  useTodoUpdates();
  const [wasAdmitted, setAdmitted] = useState(false);
  if (session.isAdministrator && !wasAdmitted) setAdmitted(true);
  useEffect(() => {
    if (session.isAdministrator && session.who) rememberAdmission(session.who.id);
  }, [session]);
  const view = consoleView(session, { wasAdmitted, mayHaveSession: isHydrated && mayHaveSession() });
  const isExpected = !isHydrated || wasAdmitted || (view !== 'leave' && mayHaveSession());

  useEffect(() => {
    if (view !== 'leave') return;
    queries.clear();
    void navigate('/', { replace: true });
  }, [view, navigate, queries]);

  if (!isExpected) {
    return (
      <main className="lonely-page">
        <h1 className="visually-hidden">Console</h1>
        <Loading rows={3} />
      </main>
    );
  }
  return (
    <NewOrdersProvider>
      <Shortcuts>
        <ConsoleFrame shopName={shopName} isAdmitted={wasAdmitted}>
          {wasAdmitted || (isHydrated && view === 'waiting' && wasAdmittedBefore()) ? (
            <Outlet />
          ) : view === 'check-failed' ? (
            <CheckFailed retry={session.checkAgain} />
          ) : (
            <LoadingPage title={title ?? 'Console'} />
          )}
        </ConsoleFrame>
      </Shortcuts>
      <SignInAgain open={view === 'sign-in-again'} />
    </NewOrdersProvider>
  );
}

/** Shown while access could not be checked: neither an empty console nor a rejection. */
function CheckFailed({ retry }: { retry(): void }) {
  return (
    <ConsolePage title="Console">
      <EmptyState
        title="We couldn’t check your access."
        text="The shop is not responding. We keep trying; you can also try now."
        action={
          <Button variant="primary" onClick={retry}>
            Retry
          </Button>
        }
      />
    </ConsolePage>
  );
}
