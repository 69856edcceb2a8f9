import { hasModal } from '#domain/catalog/modal-address.ts';

/**
 * A modal that was opened by its address has no element to give the focus back to. The product's card gets it, or the
 * page's title where there is no such card, so that the keyboard goes on from there and not from the top of the window.
 */
export function focusBehind(productId: number): void {
  if (document.activeElement !== document.body || !hasModal(window.location.pathname)) return;
  const card = document.querySelector<HTMLElement>(`main a[href="/product/${productId}"]`);
  const title = document.querySelector<HTMLElement>('main h1');
  if (card?.checkVisibility()) card.focus({ preventScroll: true });
  else if (title) {
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }
}
