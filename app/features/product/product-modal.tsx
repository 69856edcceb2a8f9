import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { IconButton } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { hasModal, productNameIn, searchWithoutProduct } from '#domain/catalog/modal-address.ts';
import type { Product } from '#domain/catalog/product.ts';
import { focusBehind } from './focus-behind.ts';
import styles from './product-modal.module.css';
import { ProductModalContent, type ProductModalContentProps } from './product-modal-content.tsx';
import { ProductModalSkeleton } from './product-modal-skeleton.tsx';
import { expectProduct, useProductDetails } from './use-product-details.ts';

/** What a card says of itself in the history entry that opens the modal. */
type OpenedFromCard = { fromCard?: boolean; product?: Product };

/**
 * Shows the product that `?product=<name>` names, over the home page and the shop page. From a card it opens at once
 * and fills; from an address only when there is such a product. The address is the state: Back closes it.
 */
export function ProductModal(parts: Omit<ProductModalContentProps, 'product'>) {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const name = hasModal(pathname) ? productNameIn(search) : null;
  const details = useProductDetails(name);
  const { fromCard: isFromCard = false, product: shownOnCard } = (state ?? {}) as OpenedFromCard;
  const isOpen = name !== null && (details.state === 'ready' || (details.state === 'loading' && isFromCard));
  const isPossible = hasModal(pathname);
  useEffect(() => (isPossible ? onCardApproached(expectProduct) : undefined), [isPossible]);
  const isClosing = useRef(false);
  useEffect(() => {
    if (name !== null) isClosing.current = false; // opened, or opened with another product
  }, [name]);

  function close() {
    // Closing by the address closes the dialog, which tells so again; and a button may be pressed twice.
    if (name === null || isClosing.current) return;
    isClosing.current = true;
    if (isFromCard) void navigate(-1);
    else
      void navigate(
        { pathname, search: searchWithoutProduct(search) },
        { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
      );
  }

  const problem = details.state === 'missing' || details.state === 'failed' ? details.state : null;
  const reportProblem = useEffectEvent((what: 'missing' | 'failed') => {
    if (what === 'failed') toast('error', 'Something went wrong. Please try again.');
    if (what === 'missing' && isFromCard) toast('info', `${name} is no longer available.`);
    if (isFromCard) close();
  });
  useEffect(() => {
    if (problem) reportProblem(problem);
  }, [problem]);

  const opened = useRef<number | null>(null);
  const productId = details.state === 'ready' ? details.product.id : null;
  useEffect(() => {
    if (!isOpen && opened.current !== null) focusBehind(opened.current);
    opened.current = isOpen ? productId : null;
  }, [isOpen, productId]);

  return (
    <Dialog open={isOpen} onClose={close} labelledBy="product-modal-title" className={styles.modal}>
      <IconButton label="Close" isFramed className={styles.close} onClick={close}>
        <CloseIcon />
      </IconButton>
      {details.state === 'ready' ? (
        <ProductModalContent key={details.product.id} product={details.product} {...parts} />
      ) : (
        <ProductModalSkeleton name={name ?? ''} shownOnCard={shownOnCard} />
      )}
    </Dialog>
  );
}

/** A pointer over a card or the keyboard on it; a touch tells before the finger is lifted. */
function onCardApproached(act: (name: string) => void): () => void {
  const heard = new AbortController();
  const hear = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('article a[href^="/product/"]') : null;
    if (link?.textContent) act(link.textContent);
  };
  for (const sign of ['pointerover', 'focusin']) document.addEventListener(sign, hear, { signal: heard.signal });
  return () => heard.abort();
}
