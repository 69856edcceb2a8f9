import { z } from 'zod';

export const periods = ['today', 'week', 'month', 'year'] as const;
export type Period = (typeof periods)[number];

const Figures = z.object({
  orders: z.number(),
  canceled: z.number(),
  sales_paise: z.number(),
  goods_paise: z.number(),
  cost_paise: z.number(),
  uncosted_paise: z.number(),
  refunds_paise: z.number(),
});
export type Figures = z.infer<typeof Figures>;

export const Dashboard = z.object({
  period: z.enum(periods),
  now: Figures,
  before: Figures,
  timeline: z.array(z.object({ from: z.string(), orders: z.number(), sales_paise: z.number() })),
  categories: z.array(z.object({ category: z.string(), goods_paise: z.number() })),
  best: z.array(
    z.object({
      product_id: z.number(),
      name: z.string(),
      category: z.string(),
      grams: z.number(),
      pieces: z.number(),
      goods_paise: z.number(),
    }),
  ),
  cities: z.array(z.object({ city: z.string(), orders: z.number(), goods_paise: z.number() })),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const Todo = z.object({
  unconfirmed: z.number(),
  pack_today: z.number(),
  to_give_back: z.number(),
  low_stock: z.number(),
  waited_for: z.number(),
});
export type Todo = z.infer<typeof Todo>;

/** The periods as people name them, and what each is compared with. */
export const periodWords: Record<Period, { title: string; before: string }> = {
  today: { title: 'Today', before: 'yesterday by this time' },
  week: { title: '7 days', before: 'the 7 days before' },
  month: { title: '30 days', before: 'the 30 days before' },
  year: { title: 'Financial year', before: 'last year to this day' },
};

/** Where each thing to do is done. */
export const todoTiles: readonly { key: keyof Todo; title: string; to: string; isUrgent?: boolean }[] = [
  { key: 'unconfirmed', title: 'Orders to confirm', to: '/admin/orders?todo=unconfirmed' },
  { key: 'pack_today', title: 'To pack today', to: '/admin/orders?todo=pack-today' },
  { key: 'to_give_back', title: 'Refunds due', to: '/admin/orders?todo=give-back', isUrgent: true },
  { key: 'low_stock', title: 'Low stock', to: '/admin/inventory?show=low' },
  { key: 'waited_for', title: 'Out of stock, customers waiting', to: '/admin/inventory?show=waiting', isUrgent: true },
];
