import type { OrderStatus } from './status.ts';

/** A status as people read it: the stored names, all with a capital letter. */
export const statusTitle = (status: string): string =>
  status === ('canceled' satisfies OrderStatus) ? 'Cancelled' : status;

export const sourceTitles: Record<'cart' | 'direct' | 'group' | 'manual', string> = {
  cart: 'Cart',
  direct: 'Buy now',
  group: 'Group order',
  manual: 'Phone or WhatsApp',
};

export const fulfilmentTitles: Record<'delivery' | 'pickup', string> = {
  delivery: 'Delivery',
  pickup: 'Pick-up',
};
