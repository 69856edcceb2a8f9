/** `?product=<name>` on one of these pages opens the product's modal. */
const pagesWithModal = ['/', '/shop'];
// As long as a product's name may be in the database.
const maxNameLength = 120;

export function hasModal(pathname: string): boolean {
  return pagesWithModal.includes(pathname.replace(/\/+$/, '') || '/');
}

/** The product name in the address, as typed; null when missing or impossible. */
export function productNameIn(search: string): string | null {
  const name = new URLSearchParams(search).get('product')?.trim() ?? '';
  return name === '' || [...name].length > maxNameLength || name.includes('\0') ? null : name;
}

export function searchWithProduct(search: string, name: string): string {
  const query = new URLSearchParams(search);
  query.set('product', name);
  return `?${query}`;
}

export function searchWithoutProduct(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('product');
  const text = query.toString();
  return text ? `?${text}` : '';
}

/** True when a step changes nothing but the modal: the page behind it needs no new data. */
export function onlyOpensOrClosesModal(from: URL, to: URL): boolean {
  return (
    from.pathname === to.pathname &&
    from.searchParams.get('product') !== to.searchParams.get('product') &&
    searchWithoutProduct(from.search) === searchWithoutProduct(to.search)
  );
}
