import type { OrderDocument, PastOrder } from './order-history.ts';

/** Puts invoices and credit notes, as the backend lists them, with their orders. What makes no sense is left out. */
export function withDocuments(orders: PastOrder[], listed: unknown): PastOrder[] {
  const byOrder = new Map(orders.map((order) => [order.id, order]));
  for (const row of Array.isArray(listed) ? listed : []) {
    const { order_id, kind, id, number } = row as Record<string, unknown>;
    if ((kind === 'invoice' || kind === 'credit note') && typeof id === 'string' && typeof number === 'string')
      byOrder.get(String(order_id))?.documents.push({ kind, id, number });
  }
  return orders;
}

export type Offer = { label: string; question: string; kind: 'invoice' | 'credit note' | 'receipt'; number: string };

/** What can be downloaded of an order: the invoice once there is one, a receipt before, and each credit note. */
export function offersOf(order: Pick<PastOrder, 'id' | 'number' | 'shortId' | 'documents'>): Offer[] {
  const invoice = order.documents.find(({ kind }) => kind === 'invoice');
  const notes = order.documents.filter(({ kind }) => kind === 'credit note');
  const question = `invoice?order=${order.id}`;
  return [
    invoice
      ? { label: 'Download invoice', question, kind: 'invoice', number: invoice.number }
      : { label: 'Download receipt', question, kind: 'receipt', number: String(order.number ?? order.shortId) },
    ...notes.map(
      ({ id, number }: OrderDocument): Offer => ({
        label: notes.length === 1 ? 'Download credit note' : `Download credit note ${number}`,
        question: `${question}&credit_note=${id}`,
        kind: 'credit note',
        number,
      }),
    ),
  ];
}
