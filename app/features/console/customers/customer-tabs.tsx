import { href } from 'react-router';
import { Tabs } from '#app/ui/tabs.tsx';

export function CustomerTabs({ open }: { open: 'customers' | 'reviews' }) {
  return (
    <Tabs
      label="Customers"
      items={[
        { to: href('/admin/customers'), title: 'All customers', isOpen: open === 'customers' },
        { to: href('/admin/customers/reviews'), title: 'Reviews', isOpen: open === 'reviews' },
      ]}
    />
  );
}
