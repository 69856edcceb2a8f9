import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useRequests } from '../requests.ts';
import type { Vendor } from './vendor-data.ts';
import styles from './vendors.module.css';

/** Vendors are never deleted: what was bought from them stays in the books. */
export function ArchiveButton({ vendor, onChanged }: { vendor: Vendor; onChanged(): void }) {
  const { updateRow } = useRequests();
  const [isAsking, setAsking] = useState(false);
  const isArchived = vendor.archived_at !== null;

  async function change() {
    const archived_at = isArchived ? null : new Date().toISOString();
    const saved = await updateRow('vendors', { key: vendor.id, seen: vendor.updated_at }, { archived_at });
    setAsking(false);
    if (saved.ok) toast('success', isArchived ? `${vendor.name} is back.` : `${vendor.name} is archived.`);
    else toast('error', saved.message);
    onChanged();
  }

  return (
    <div className={styles.actions}>
      <button
        type="button"
        className={isArchived ? buttons.quiet : buttons.danger}
        onClick={() => (isArchived ? change() : setAsking(true))}
      >
        {isArchived ? 'Bring back from the archive' : 'Archive this vendor'}
      </button>
      <ConfirmDialog
        open={isAsking}
        title={`Archive ${vendor.name}?`}
        text="They are no longer offered for new orders. What was bought and what is owed stays, and you can bring them back."
        confirmLabel="Archive"
        tone="danger"
        onConfirm={change}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
