import { Component, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { ConsolePage, LoadingPage } from '#app/features/console/frame/console-page.tsx';
import { Failed } from '#app/ui/panel.tsx';
import NotFound from './not-found.tsx';
import { askAgain, screenAt } from './screens.ts';

/** The screen that the address names. Whatever happens to it, the frame around it stays. */
export function OpenScreen() {
  const { pathname } = useLocation();
  const [tries, setTries] = useState(0);
  const opened = screenAt(pathname);
  if (!opened) return <NotFound />;
  const { screen, params } = opened;

  function retry() {
    askAgain(screen);
    setTries(tries + 1);
  }

  // Another screen is another place to wait: its name is there at once, however slow the line is.
  return (
    <ScreenGuard key={`${screen.path} ${tries}`} retry={retry}>
      <Suspense fallback={<LoadingPage title={screen.title} />}>
        <screen.Screen params={params} />
      </Suspense>
    </ScreenGuard>
  );
}

type GuardProps = { retry(): void; children: ReactNode };

class ScreenGuard extends Component<GuardProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ConsolePage title="Something went wrong">
        <Failed retry={this.props.retry} />
      </ConsolePage>
    );
  }
}
