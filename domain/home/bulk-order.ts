import { type Basket, type CartLine, linesOf, type Size } from '../cart/cart.ts';

export type BulkLine = { name: string; size: Size | null; quantity: number };
export type NamedProduct = { id: number; name: string; hasSize: boolean };

/** All lines of cart and checkout together, for a bulk order. */
export function selectedLines({ cart, checkout }: Basket): CartLine[] {
  const lines = new Map<string, CartLine>();
  for (const line of [...linesOf(cart), ...linesOf(checkout)]) {
    const key = `${line.productId} ${line.size}`;
    // Not limited to 25: that is the most of one order line, and this is a wish, not an order.
    lines.set(key, { ...line, quantity: (lines.get(key)?.quantity ?? 0) + line.quantity });
  }
  return [...lines.values()];
}

/** With the names of what is still sold; null stands for "the names could not be read", and numbers do instead. */
export function bulkLines(lines: readonly CartLine[], products: readonly NamedProduct[] | null): BulkLine[] {
  if (!products) {
    return lines.map(({ productId, size, quantity }) => ({ name: `Product no. ${productId}`, size, quantity }));
  }
  const byId = new Map(products.map((product) => [product.id, product]));
  return lines.flatMap(({ productId, size, quantity }) => {
    const product = byId.get(productId);
    return product ? [{ name: product.name, size: product.hasSize ? size : null, quantity }] : [];
  });
}

export function describeBulkLine({ name, size, quantity }: BulkLine): string {
  return `${quantity} × ${name}${size ? ` (${size} g)` : ''}`;
}

// Longer links are cut off by some mail programs and by WhatsApp.
const maxLines = 30;

export function bulkMessage(shopName: string, lines: readonly BulkLine[]): string {
  const listed = lines.slice(0, maxLines).map((line) => `- ${describeBulkLine(line)}`);
  const rest = lines.length - listed.length;
  return [
    `Hello ${shopName}, I would like to order in bulk.`,
    '',
    ...(lines.length > 0 ? ['I have selected:', ...listed] : []),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(lines.length > 0 ? [''] : []),
    'Needed on:',
    'Deliver to:',
  ].join('\n');
}

export function bulkMailLink(email: string, message: string): string {
  const body = message.replaceAll('\n', '\r\n');
  // The address itself may hold what a link would read as its end.
  const address = encodeURIComponent(email).replaceAll('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent('Bulk order')}&body=${encodeURIComponent(body)}`;
}

export function bulkChatLink(whatsappNumber: string, message: string): string {
  return `https://wa.me/${whatsappNumber.replace(/\D/g, '')}?text=${encodeURIComponent(message)}`;
}
