import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { toast } from '#app/ui/toast.tsx';
import { useRequests } from '../data/requests.ts';

type Props = {
  table: 'caurousel' | 'testimonials';
  row: { id: number; updated_at: string; is_published: boolean; title: string };
  onChange(): void;
};

/** Takes something off the shop, or puts it there; the same button takes it back. */
export function PublishButton({ table, row, onChange }: Props) {
  const { updateRow } = useRequests();
  const [isBusy, setBusy] = useState(false);

  async function toggle() {
    if (isBusy) return;
    setBusy(true);
    const outcome = await updateRow(table, { key: row.id, seen: row.updated_at }, { is_published: !row.is_published });
    setBusy(false);
    if (!outcome.ok) toast('error', outcome.message);
    onChange();
  }

  return (
    <button
      type="button"
      className={buttons.small}
      aria-busy={isBusy}
      aria-label={`${row.is_published ? 'Hide' : 'Publish'} ${row.title}`}
      onClick={toggle}
    >
      {row.is_published ? 'Hide' : 'Publish'}
    </button>
  );
}
