import { href } from 'react-router';
import { Tabs } from '#app/ui/tabs.tsx';

/** What administrators changed, and what happened around sign-in and permissions. */
export function LogTabs({ open }: { open: 'changes' | 'security' }) {
  return (
    <Tabs
      label="Logs"
      items={[
        { to: href('/admin/log'), title: 'Changes', isOpen: open === 'changes' },
        { to: href('/admin/log/security'), title: 'Logins and access', isOpen: open === 'security' },
      ]}
    />
  );
}
