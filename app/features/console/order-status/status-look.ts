import type { OrderStatus } from '#domain/orders/status.ts';

/** How a status is told apart at a glance: by its colour on light and dark paper, and by its sign without any colour. */
export type StatusLook = { light: string; dark: string /** An outline on a field of 16 by 16. */; sign: string };

const box = 'M2.5 5.5h11v8h-11zM2.5 5.5l2-3h7l2 3M8 2.5v3';
const bag = 'M3 5.5h10l.7 8H2.3zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5';

export const statusLooks: Record<OrderStatus, StatusLook> = {
  Pending: { light: '#8a5f00', dark: '#f0c05a', sign: 'M4 2h8M4 14h8M5 2c0 4 6 4 6 8v4M11 2c0 4-6 4-6 8v4' },
  Confirmed: { light: '#1d5fbf', dark: '#85b6ff', sign: 'M3 8.5l2.8 3L13 4.5' },
  Preparing: {
    light: '#7440b8',
    dark: '#c9a4ff',
    sign: 'M2.5 7.5h11v3a3 3 0 0 1-3 3h-5a3 3 0 0 1-3-3zM6 2v2.5M10 2v2.5',
  },
  Packed: { light: '#84502f', dark: '#c9966f', sign: box },
  Shipped: { light: '#0b6a7d', dark: '#5fcbe0', sign: 'M1.5 4h8v7h-8zM9.5 6.5h3l2 2.3V11h-5M4 13.3h.1M11.5 13.3h.1' },
  Delivered: {
    light: '#27742b',
    dark: '#83d488',
    sign: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M5 8.2l2.2 2.3L11.2 6',
  },
  Undelivered: { light: '#b93d08', dark: '#ff9f73', sign: 'M8 2l6.5 11.5h-13zM8 6.5v3.3M8 11.7v.1' },
  Ready: { light: '#546f00', dark: '#bcd852', sign: bag },
  Collected: { light: '#0a7054', dark: '#64d8b2', sign: `${bag}M6 10.5l1.5 1.5 2.7-3` },
  canceled: { light: '#a31142', dark: '#ff7f9f', sign: 'M4 4l8 8M12 4l-8 8' },
  Refunded: { light: '#65554d', dark: '#cdb8a8', sign: 'M6 3L2.5 6.5 6 10M2.5 6.5H10a3.3 3.3 0 0 1 0 6.6H6' },
};
