import { Outlet, useLocation, useNavigate } from 'react-router';
import { ConsolePage } from '#app/features/console/frame/console-page.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';

/** Around every screen of the console, so that a screen that fails leaves the frame around it standing. */
export default function ScreenLayout() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const navigate = useNavigate();
  const location = useLocation();
  return (
    <ConsolePage title="Something went wrong">
      <FailedState retry={() => void navigate(location, { replace: true })} />
    </ConsolePage>
  );
}
