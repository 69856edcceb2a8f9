import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import type { Outcome } from '../data/requests.ts';
import { SelectionBar } from '../list/selection-bar.tsx';
import { ArchiveDialog, GstDialog } from './bulk-dialogs.tsx';
import { OfferDialog } from './bulk-offer-dialog.tsx';
import { PriceDialog } from './bulk-price-dialog.tsx';
import { productsWord } from './product-data.ts';

import type { ListChange, ProductChange } from './use-product-changes.ts';

export type BulkBarProps = {
  chosen: readonly ProductRow[];
  /** How many of them the list does not show. */
  hidden: number;
  change(changes: readonly ProductChange[], said: string): Promise<Outcome<ProductRow[]>>;
  /** Offered when there are more of the same. */
  chooseAll: { count: number; run(): void } | null;
  clear(): void;
};

type Asking = 'price' | 'offer' | 'gst' | 'archive' | null;

/** What is done with the chosen products. */
export function BulkBar({ chosen, hidden, change, chooseAll, clear }: BulkBarProps) {
  const [asking, setAsking] = useState<Asking>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function apply(changes: readonly ProductChange[], said: string): Promise<boolean> {
    setProblem(null);
    if (changes.length === 0) {
      setAsking(null);
      setProblem('Nothing to change: all selected products already have this setting.');
      return true;
    }
    const outcome = await change(changes, said);
    setProblem(outcome.ok ? null : outcome.message);
    setAsking(null);
    return outcome.ok;
  }
  const applyToAll = (changes: ListChange, differs: (row: ProductRow) => boolean, said: (count: number) => string) => {
    const rows = chosen.filter(differs);
    return apply(
      rows.map((row) => ({ row, changes })),
      said(rows.length),
    );
  };
  const list = (isListed: boolean) =>
    applyToAll(
      { is_listed: isListed },
      (row) => row.is_listed !== isListed,
      (count) => `${productsWord(count)} ${isListed ? 'listed' : 'unlisted'}.`,
    );
  const dialog = { chosen, onClose: () => setAsking(null) };

  return (
    <>
      <SelectionBar
        things="products"
        count={chosen.length}
        hidden={hidden}
        onClear={clear}
        problem={problem}
        beside={
          chooseAll && (
            <Button size="small" onClick={chooseAll.run}>
              Select all {chooseAll.count.toLocaleString('en-IN')}
            </Button>
          )
        }
      >
        <Button size="small" onClick={() => list(true)}>
          List
        </Button>
        <Button size="small" onClick={() => list(false)}>
          Unlist
        </Button>
        <Button size="small" onClick={() => setAsking('price')}>
          Change price…
        </Button>
        <Button size="small" onClick={() => setAsking('offer')}>
          Set offer…
        </Button>
        <Button size="small" onClick={() => setAsking('gst')}>
          Set GST…
        </Button>
        <Button size="small" onClick={() => setAsking('archive')}>
          Archive…
        </Button>
      </SelectionBar>
      {asking === 'price' && <PriceDialog {...dialog} apply={apply} />}
      {asking === 'offer' && <OfferDialog {...dialog} apply={apply} />}
      {asking === 'gst' && <GstDialog {...dialog} applyToAll={applyToAll} />}
      {asking === 'archive' && <ArchiveDialog {...dialog} applyToAll={applyToAll} />}
    </>
  );
}
