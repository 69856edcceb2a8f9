import { useState } from 'react';
import { toast } from '#app/ui/toast.tsx';
import { orderRows } from '#contracts/console/shop.ts';
import { moveItem } from '#domain/move-item.ts';
import { useRequests } from '../data/requests.ts';

type Ordered = { id: number };

/** A list being put into another order; kept in the browser until it is saved, whole. */
export function useOrder<Row extends Ordered>(
  table: 'caurousel' | 'testimonials',
  rows: readonly Row[],
  reload: () => void,
) {
  const { act } = useRequests();
  const [order, setOrder] = useState<readonly number[] | null>(null);
  const [isSaving, setSaving] = useState(false);
  const seen = rows.map(({ id }) => id);
  // What was arranged stays so when a row goes; one that came stands last.
  const kept = order?.filter((id) => seen.includes(id));
  const ids = kept ? [...kept, ...seen.filter((id) => !kept.includes(id))] : seen;
  const arranged = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);

  return {
    arranged,
    isMoved: ids.some((id, place) => id !== seen[place]),
    isSaving,
    move: (from: number, to: number) => setOrder(moveItem(ids, from, to)),
    putBack: () => setOrder(null),
    async save() {
      if (isSaving) return;
      setSaving(true);
      const outcome = await act(orderRows, { table_name: table, ids: [...ids], seen });
      setSaving(false);
      if (outcome.ok) toast('success', 'Positions saved.');
      else {
        toast('error', outcome.message);
        setOrder(null);
      }
      reload();
    },
  };
}
