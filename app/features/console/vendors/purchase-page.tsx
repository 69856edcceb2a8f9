import { href, useNavigate } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Purchase, readPurchase } from '#contracts/console/purchases.ts';
import { listVendors } from '#contracts/console/vendors.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import styles from './purchase.module.css';
import { emptyLine, linesOf } from './purchase-draft.ts';
import { PurchaseEditor } from './purchase-editor.tsx';
import { PurchaseView } from './purchase-view.tsx';

const back = { to: `${href('/admin/vendors')}?tab=purchases`, label: 'Purchase orders' };

export type NewPurchaseProps = {
  vendorId: number | null;
  /** The order whose lines are ordered again. */
  againId: number | null;
};

export function NewPurchasePage({ vendorId, againId }: NewPurchaseProps) {
  const navigate = useNavigate();
  const vendors = useShopQuery(listVendors, {});
  const again = useShopQuery(readPurchase, againId === null ? null : { purchase_id: againId });
  const copied = again.data ?? null;
  const isReady = vendors.data !== undefined && (againId === null || again.data !== undefined);
  const isFailed = vendors.isLoadingError || again.isLoadingError;
  return (
    <ConsolePage title="New purchase order" back={back}>
      {isFailed ? (
        <FailedState
          retry={() => {
            vendors.refetch();
            again.refetch();
          }}
        />
      ) : !isReady || vendors.data === undefined ? (
        <LoadingPurchase />
      ) : vendors.data.rows.length === 0 ? (
        <EmptyState
          title="Add a vendor first."
          text="A purchase order needs a vendor."
          action={
            <ButtonLink size="small" to={href('/admin/vendors/new')}>
              Add vendor
            </ButtonLink>
          }
        />
      ) : (
        <PurchaseEditor
          purchase={null}
          vendors={vendors.data.rows.filter(({ archived_at }) => archived_at === null)}
          start={{
            vendorId: copied?.vendor.id ?? vendorId,
            lines: copied ? linesOf(copied, true) : [emptyLine],
          }}
          onSaved={(id) => {
            toast('success', 'Draft saved.');
            void navigate(href('/admin/purchases/:id', { id: String(id) }), { replace: true });
          }}
        />
      )}
    </ConsolePage>
  );
}

/** purchaseId is null where the address has no number of ours. */
export function PurchasePage({ purchaseId }: { purchaseId: number | null }) {
  const wanted = purchaseId === null ? null : { purchase_id: purchaseId };
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readPurchase, wanted);
  const purchase = data ?? null;
  const isThere = purchaseId !== null && (purchase !== null || data === undefined);
  if (purchase && purchase.status !== 'Draft') return <PurchaseView purchase={purchase} back={back} reload={refetch} />;
  return (
    <ConsolePage title={isThere ? `Purchase order ${purchaseId}` : 'Purchase order'} back={back}>
      {wanted && isPending && <LoadingPurchase />}
      {isLoadingError && <FailedState retry={refetch} />}
      {(!wanted || (data !== undefined && !purchase)) && <EmptyState title="Purchase order not found." />}
      {purchase && <DraftPage key={purchase.updated_at} purchase={purchase} reload={refetch} />}
    </ConsolePage>
  );
}

function DraftPage({ purchase, reload }: { purchase: Purchase; reload(): void }) {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(listVendors, {});
  if (isPending) return <LoadingPurchase />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  return (
    <PurchaseEditor
      purchase={purchase}
      vendors={data.rows.filter(({ id, archived_at }) => archived_at === null || id === purchase.vendor.id)}
      start={{ vendorId: purchase.vendor.id, lines: linesOf(purchase) }}
      onSaved={reload}
    />
  );
}

function LoadingPurchase() {
  return (
    <LoadingShape className={styles.beside}>
      <BlankPanel title="Items" lines={6} />
      <BlankPanel lines={4} />
    </LoadingShape>
  );
}
