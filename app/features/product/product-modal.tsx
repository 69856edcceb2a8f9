import { type ComponentType, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { toast } from '#app/ui/toast.tsx';
import { hasModal, productNameIn } from '#domain/catalog/modal-address.ts';
import type { PurchaseActions } from './purchase-options.tsx';

const calmAfter = 1500;

/** Brings the modal's code when the address asks for it, or once the page has settled, before somebody does. */
export function ProductModal(actions: PurchaseActions) {
  const { pathname, search } = useLocation();
  const mayOpen = hasModal(pathname);
  const isWanted = mayOpen && productNameIn(search) !== null;
  const [Modal, setModal] = useState<ComponentType<PurchaseActions> | null>(null);

  useEffect(() => {
    if (Modal || !mayOpen) return;
    const load = () =>
      import('./product-modal-dialog.tsx').then(
        ({ ProductModalDialog }) => setModal(() => ProductModalDialog),
        () => isWanted && toast('error', 'Something went wrong. Please try again.'),
      );
    const timer = setTimeout(load, isWanted ? 0 : calmAfter);
    return () => clearTimeout(timer);
  }, [Modal, mayOpen, isWanted]);

  return Modal && <Modal {...actions} />;
}
