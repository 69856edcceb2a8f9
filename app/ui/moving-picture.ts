/**
 * Marks the card's picture that a view transition moves to the product it opens, and back again. One at a time: base.css
 * gives it the name that the product's own picture has, and two of one name on a page would cancel the transition.
 */
export function setMovingPicture(picture: Element | null | undefined): void {
  for (const marked of document.querySelectorAll('[data-moving]')) marked.removeAttribute('data-moving');
  picture?.setAttribute('data-moving', '');
}
