import { type ReactNode, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { toast } from '#app/ui/toast.tsx';
import {
  deleteProduct,
  duplicateProduct,
  type ProductAnswer,
  type ProductRow,
  readProduct,
} from '#contracts/console/products.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { formatStock } from '#domain/stock/quantity.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { removePictures } from './picture-files.ts';
import { MissingFacts } from './product-cells.tsx';
import { isLow, standingOf } from './product-data.ts';
import form from './product-form.module.css';
import { ProductForm } from './product-form.tsx';
import styles from './product-page.module.css';
import { useProductChanges } from './use-product-changes.ts';

const back = { to: href('/admin/products'), label: 'Products' };
type Props = { id: string; renderCard(product: ProductDetails): ReactNode };

export function NewProductPage({ renderCard }: Pick<Props, 'renderCard'>) {
  return (
    <ConsolePage title="New product" back={back}>
      <ProductForm product={null} renderCard={renderCard} onSaved={() => {}} onStartOver={() => {}} />
    </ConsolePage>
  );
}

export function ProductPage({ id, renderCard }: Props) {
  if (!/^[1-9]\d{0,14}$/.test(id)) return <NoProduct />;
  return <StoredProduct key={id} id={Number(id)} renderCard={renderCard} />;
}

function StoredProduct({ id, renderCard }: { id: number; renderCard: Props['renderCard'] }) {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readProduct, { product_id: id });
  const [attempt, setAttempt] = useState({ count: 0, isWaiting: false });
  // The form restarts when the product has been reloaded.
  const [shownFor, setShownFor] = useState<unknown>(null);
  if (data !== undefined && attempt.isWaiting && data !== shownFor)
    setAttempt({ count: attempt.count + 1, isWaiting: false });

  if (data === null) return <NoProduct />;
  const product = data ?? null;
  function startOver() {
    setShownFor(product);
    setAttempt({ ...attempt, isWaiting: true });
    refetch();
  }
  return (
    <ConsolePage
      title={product?.row.name ?? 'Product'}
      back={back}
      actions={product && <ProductActions product={product} onChanged={startOver} />}
    >
      {isPending && <LoadingProduct />}
      {isLoadingError && <FailedState retry={refetch} />}
      {product && (
        <>
          <Standing product={product} />
          <ProductForm
            key={attempt.count}
            product={product}
            renderCard={renderCard}
            onSaved={refetch}
            onStartOver={startOver}
          />
        </>
      )}
    </ConsolePage>
  );
}

function LoadingProduct() {
  return (
    <LoadingShape className={form.form}>
      <div className={form.fields}>
        <BlankPanel title="Basic details" fields={3} />
        <BlankPanel title="Price and unit" fields={3} />
      </div>
      <BlankPanel title="Preview" hasChart lines={2} />
    </LoadingShape>
  );
}

function NoProduct() {
  return (
    <ConsolePage title="Product" back={back}>
      <EmptyState
        title="Product not found."
        text="It may have been deleted."
        action={
          <ButtonLink size="small" to={href('/admin/products')}>
            All products
          </ButtonLink>
        }
      />
    </ConsolePage>
  );
}

function Standing({ product: { row, waiting } }: { product: ProductAnswer }) {
  const { label, tone } = standingOf(row);
  return (
    <p className={styles.standing}>
      <Badge tone={tone}>{label}</Badge>
      {isLow(row) && <Badge tone="warn">Low stock</Badge>}
      <MissingFacts row={row} />
      <Link to={href('/admin/inventory/:productId', { productId: String(row.id) })}>
        {formatStock(row.on_hand, { hasSize: row.has_size })} on hand,{' '}
        {formatStock(row.on_hand - row.reserved, { hasSize: row.has_size })} available
      </Link>
      {waiting > 0 && (
        <span>
          {waiting.toLocaleString('en-IN')} {waiting === 1 ? 'customer' : 'customers'} on the waiting list
        </span>
      )}
      {row.is_listed && row.archived_at === null && (
        <a href={`/product/${row.id}`} target="_blank" rel="noreferrer">
          View in shop
        </a>
      )}
    </p>
  );
}

function ProductActions({ product, onChanged }: { product: ProductAnswer; onChanged(): void }) {
  const { row } = product;
  const { act, client } = useRequests();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'archive' | 'delete' | null>(null);
  const change = useProductChanges(onChanged);

  async function duplicate() {
    const outcome = await act(duplicateProduct, { product_id: row.id });
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', 'Product duplicated. This is the copy, not listed yet.');
    void navigate(href('/admin/products/:id', { id: String(outcome.value.id) }));
  }
  async function archive(isArchived: boolean) {
    const said = isArchived ? `${row.name} archived.` : `${row.name} restored. It is not listed yet.`;
    const outcome = await change([{ row, changes: { is_archived: isArchived } }], said);
    setAsking(null);
    if (!outcome.ok) toast('error', outcome.message);
  }
  async function remove() {
    const outcome = await act(deleteProduct, { product_id: row.id, seen: row.updated_at });
    setAsking(null);
    if (!outcome.ok) return toast('error', outcome.message);
    void client().then((shop) => removePictures(shop, outcome.value.unused_images));
    toast('success', `${row.name} deleted.`);
    void navigate(href('/admin/products'), { replace: true });
  }

  return (
    <>
      <Button size="small" onClick={duplicate}>
        Duplicate
      </Button>
      <Button size="small" onClick={() => (row.archived_at ? void archive(false) : setAsking('archive'))}>
        {row.archived_at ? 'Restore' : 'Archive'}
      </Button>
      {product.is_deletable && (
        <Button size="small" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      )}
      <ConfirmDialog
        open={asking === 'archive'}
        title={`Archive ${row.name}?`}
        text={<ArchiveWords row={row} combo={product.draft.combo} />}
        confirmLabel="Archive"
        tone="danger"
        onConfirm={() => archive(true)}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        title={`Delete ${row.name}?`}
        text="It was never sold, stocked or reviewed. This can’t be undone."
        confirmLabel="Delete"
        tone="danger"
        onConfirm={remove}
        onClose={() => setAsking(null)}
      />
    </>
  );
}

function ArchiveWords({ row, combo }: { row: ProductRow; combo: string | null }) {
  return (
    <>
      <p>It is removed from the shop and the list. Its orders, reviews and stock stay, and you can restore it.</p>
      {row.on_hand > 0 && <p>{formatStock(row.on_hand, { hasSize: row.has_size })} still in stock.</p>}
      {combo && <p>It will no longer be the {combo} pack on the home page.</p>}
    </>
  );
}
