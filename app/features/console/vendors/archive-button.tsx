import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Vendor } from '#contracts/console/vendors.ts';
import { useRequests } from '../data/requests.ts';

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
    if (saved.ok) toast('success', isArchived ? `${vendor.name} restored.` : `${vendor.name} archived.`);
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
        {isArchived ? 'Restore vendor' : 'Archive vendor'}
      </button>
      <ConfirmDialog
        open={isAsking}
        title={`Archive ${vendor.name}?`}
        text="They won’t be offered for new orders. Purchases and dues stay, and you can restore them."
        confirmLabel="Archive"
        tone="danger"
        onConfirm={change}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
