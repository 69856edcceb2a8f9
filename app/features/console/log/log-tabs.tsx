import { Tabs } from '#app/ui/panel.tsx';

/** What administrators changed, and what happened around sign-in and permissions. */
export function LogTabs({ open }: { open: 'changes' | 'security' }) {
  return (
    <Tabs
      label="Logs"
      items={[
        { to: '/admin/log', title: 'Changes', isOpen: open === 'changes' },
        { to: '/admin/log/security', title: 'Logins and access', isOpen: open === 'security' },
      ]}
    />
  );
}
