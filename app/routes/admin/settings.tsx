import { SettingsPage } from '#app/features/console/settings/settings-page.tsx';
import PageFooter from '#app/features/navigation/page-footer.tsx';

export default function SettingsRoute() {
  return <SettingsPage renderFooter={(shop) => <PageFooter shop={shop} />} />;
}
