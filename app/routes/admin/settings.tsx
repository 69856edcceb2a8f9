import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { SettingsPage } from '#app/features/console/settings/settings-page.tsx';
import PageFooter from '#app/features/navigation/page-footer.tsx';

export const handle: ScreenHandle = { title: 'Settings' };

export default function SettingsRoute() {
  return <SettingsPage renderFooter={(shop) => <PageFooter shop={shop} />} />;
}
