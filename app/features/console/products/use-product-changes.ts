import { useCallback } from 'react';
import { toast } from '#app/ui/toast.tsx';
import { changeProducts, type ProductRow } from '#contracts/console/products.ts';
import { backedOfferPercent } from '#domain/products/backed-offer.ts';
import { type Outcome, useRequests } from '../data/requests.ts';

/** What the list changes of a product. */
export type ListChange = Partial<{
  price_paise: number;
  regular_price_paise: number | null;
  /** Only the true one is saved. */
  offer_percent: number;
  gst_percent: number;
  is_listed: boolean;
  is_archived: boolean;
}>;
export type ProductChange = { row: ProductRow; changes: ListChange };

const mostAtOnce = 2000;

/** Changes products of the list, all or none; `onChanged` gets them as they are now, and once more after an undo. */
export function useProductChanges(onChanged: (rows: readonly ProductRow[]) => void) {
  const { act } = useRequests();

  return useCallback(
    async (changes: readonly ProductChange[], said: string): Promise<Outcome<ProductRow[]>> => {
      const send = (asked: readonly ProductChange[]) =>
        act(changeProducts, {
          products: asked
            .slice(0, mostAtOnce)
            .map(({ row, changes }) => ({ id: row.id, seen: row.updated_at, changes })),
        });
      const outcome = await send(changes);
      if (!outcome.ok) return outcome;
      onChanged(outcome.value);
      const now = new Map(outcome.value.map((row) => [row.id, row]));
      toast('success', said, {
        label: 'Undo',
        run: async () => {
          const undone = await send(changes.map((change) => reversed(change, now.get(change.row.id) ?? change.row)));
          if (undone.ok) onChanged(undone.value);
          toast(undone.ok ? 'info' : 'error', undone.ok ? 'Change undone.' : undone.message);
        },
      });
      return outcome;
    },
    [act, onChanged],
  );
}

/** What was changed, back to what it was; seen as it is now. */
function reversed({ row: before, changes }: ProductChange, now: ProductRow): ProductChange {
  const was: Required<ListChange> = {
    offer_percent: backedOfferPercent({
      pricePaise: before.price_paise,
      regularPricePaise: before.regular_price_paise,
    }),
    price_paise: before.price_paise,
    regular_price_paise: before.regular_price_paise,
    gst_percent: before.gst_percent,
    is_listed: before.is_listed,
    is_archived: before.archived_at !== null,
  };
  // Archiving takes a product off the shop: coming back it is listed again where it was.
  const names = 'is_archived' in changes ? [...Object.keys(changes), 'is_listed'] : Object.keys(changes);
  return { row: now, changes: Object.fromEntries(names.map((name) => [name, was[name as keyof ListChange]])) };
}
