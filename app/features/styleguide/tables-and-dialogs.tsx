import { useState } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { DataTable, Pager } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { type ToastKind, ToastMessage, toast } from '#app/ui/toast.tsx';
import { Part } from './part.tsx';

const rows = [
  { id: '1042', customer: 'Priya Sharma', total: '₹1,299.50' },
  { id: '1043', customer: 'Ravi Iyer', total: '₹540' },
];
const columns = [
  { key: 'id', title: 'Order', cell: ({ id }: (typeof rows)[number]) => id, sort: 'id' },
  { key: 'customer', title: 'Customer', cell: ({ customer }: (typeof rows)[number]) => customer },
  { key: 'status', title: 'Status', cell: () => <Badge tone="busy">Shipped</Badge> },
  { key: 'total', title: 'Total', align: 'end' as const, cell: ({ total }: (typeof rows)[number]) => total },
];
const kinds: ToastKind[] = ['success', 'info', 'news', 'warning', 'error'];

/** Lists, and what lies on top of a page. */
export function TablesAndDialogs() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['1043']));
  const [asks, setAsks] = useState<'plain' | 'danger' | null>(null);
  return (
    <>
      <Part title="Tabs" file="tabs.tsx">
        <Tabs
          label="Orders"
          items={[
            { to: '?tab=open', title: 'Open', isOpen: true, count: '12' },
            { to: '?tab=all', title: 'All', isOpen: false },
          ]}
        />
      </Part>
      <Part title="Table" file="data-table.tsx">
        <DataTable
          caption="Orders"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          selection={{ selected, onChange: setSelected }}
          sort={{ by: 'id', descending: true, hrefFor: () => '' }}
          current="1042"
          empty={<EmptyState title="No matching orders" />}
        />
        <Pager next="?page=2" first={null} count={240} countIsCapped={false} shown={2} />
      </Part>
      <Part title="Dialog" file="dialog.tsx, confirm-dialog.tsx">
        <Button onClick={() => setAsks('plain')}>Ask…</Button>
        <Button variant="outlined-danger" onClick={() => setAsks('danger')}>
          Delete…
        </Button>
        <ConfirmDialog
          open={asks !== null}
          title={asks === 'danger' ? 'Delete this product?' : 'Pack 3 orders?'}
          text="You can’t undo this."
          confirmLabel={asks === 'danger' ? 'Delete' : 'Pack 3 orders'}
          tone={asks ?? 'plain'}
          onConfirm={() => setAsks(null)}
          onClose={() => setAsks(null)}
        />
      </Part>
      <Part title="Toast" file="toast.tsx">
        {kinds.map((kind) => (
          <ToastMessage
            key={kind}
            item={{ id: 0, kind, text: `A message of kind ${kind}.`, way: { label: 'Undo', run() {} } }}
          />
        ))}
        <Button size="small" onClick={() => toast('success', 'Saved.')}>
          Show one
        </Button>
      </Part>
    </>
  );
}
