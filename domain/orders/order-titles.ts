import type { OrderStatus } from './status.ts';

/** A status as people read it: the stored names, all with a capital letter. */
export const statusTitle = (status: string): string =>
  status === ('canceled' satisfies OrderStatus) ? 'Canceled' : status;

export const sourceTitles: Record<'cart' | 'direct' | 'manual', string> = {
  cart: 'From the cart',
  direct: 'Bought directly',
  manual: 'By phone or WhatsApp',
};

export const fulfilmentTitles: Record<'delivery' | 'pickup', string> = {
  delivery: 'Delivery',
  pickup: 'Pick-up',
};
