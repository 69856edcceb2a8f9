export { SettingsPage as default } from '#app/features/console/settings/settings-page.tsx';
