import { Link, useNavigate } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Empty, Failed } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Purchase, readPurchase } from '#contracts/console/purchases.ts';
import { listVendors } from '#contracts/console/vendors.ts';
import { useAnswer } from '../data/requests.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import styles from './purchase.module.css';
import { emptyLine, linesOf } from './purchase-draft.ts';
import { PurchaseEditor } from './purchase-editor.tsx';
import { PurchaseView } from './purchase-view.tsx';

const back = { to: '/admin/vendors?tab=purchases', label: 'Purchase orders' };

export type NewPurchaseProps = {
  vendorId: number | null;
  /** The order whose lines are ordered again. */
  againId: number | null;
};

export function NewPurchasePage({ vendorId, againId }: NewPurchaseProps) {
  const navigate = useNavigate();
  const vendors = useAnswer(listVendors, {});
  const again = useAnswer(readPurchase, againId === null ? null : { purchase_id: againId });
  const copied = again.loaded.state === 'ready' ? again.loaded.value : null;
  const isReady = vendors.loaded.state === 'ready' && (againId === null || again.loaded.state === 'ready');
  const isFailed = vendors.loaded.state === 'failed' || again.loaded.state === 'failed';
  return (
    <ConsolePage title="New purchase order" back={back}>
      {isFailed ? (
        <Failed
          retry={() => {
            vendors.reload();
            again.reload();
          }}
        />
      ) : !isReady || vendors.loaded.state !== 'ready' ? (
        <LoadingPurchase />
      ) : vendors.loaded.value.rows.length === 0 ? (
        <Empty
          title="Add a vendor first."
          text="A purchase order needs a vendor."
          action={
            <Link className={buttons.small} to="/admin/vendors/new">
              Add vendor
            </Link>
          }
        />
      ) : (
        <PurchaseEditor
          purchase={null}
          vendors={vendors.loaded.value.rows.filter(({ archived_at }) => archived_at === null)}
          start={{
            vendorId: copied?.vendor.id ?? vendorId,
            lines: copied ? linesOf(copied, true) : [emptyLine('first')],
          }}
          onSaved={(id) => {
            toast('success', 'Draft saved.');
            void navigate(`/admin/purchases/${id}`, { replace: true });
          }}
        />
      )}
    </ConsolePage>
  );
}

/** purchaseId is null where the address has no number of ours. */
export function PurchasePage({ purchaseId }: { purchaseId: number | null }) {
  const wanted = purchaseId === null ? null : { purchase_id: purchaseId };
  const { loaded, reload } = useAnswer(readPurchase, wanted);
  const purchase = loaded.state === 'ready' ? loaded.value : null;
  const isThere = purchaseId !== null && (purchase !== null || loaded.state !== 'ready');
  if (purchase && purchase.status !== 'Draft') return <PurchaseView purchase={purchase} back={back} reload={reload} />;
  return (
    <ConsolePage title={isThere ? `Purchase order ${purchaseId}` : 'Purchase order'} back={back}>
      {wanted && loaded.state === 'loading' && <LoadingPurchase />}
      {loaded.state === 'failed' && <Failed retry={reload} />}
      {(!wanted || (loaded.state === 'ready' && !purchase)) && <Empty title="Purchase order not found." />}
      {purchase && <DraftPage key={purchase.updated_at} purchase={purchase} reload={reload} />}
    </ConsolePage>
  );
}

function DraftPage({ purchase, reload }: { purchase: Purchase; reload(): void }) {
  const { loaded, reload: again } = useAnswer(listVendors, {});
  if (loaded.state === 'loading') return <LoadingPurchase />;
  if (loaded.state === 'failed') return <Failed retry={again} />;
  return (
    <PurchaseEditor
      purchase={purchase}
      vendors={loaded.value.rows.filter(({ id, archived_at }) => archived_at === null || id === purchase.vendor.id)}
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
