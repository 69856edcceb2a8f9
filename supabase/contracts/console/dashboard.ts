// Functions of schemas/20_console/02_dashboard.sql: the dashboard, the list of today’s work, the kitchen sheet.
import { at, day, defineFunction } from '../contract.ts';
import { z } from '../z.ts';

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

/** The result of admin_read_work. */
export const Todo = z.object({
  unconfirmed: z.number(),
  pack_today: z.number(),
  to_collect: z.number(),
  to_collect_paise: z.number(),
  /** Orders of which a refund failed or has to be paid back by hand. */
  to_give_back: z.number(),
  /** Refunds that are not finished, and how many of them an administrator has to see to. */
  refunds_open: z.number(),
  refunds_to_decide: z.number(),
  refunds_overdue: z.number(),
  refunds_overdue_paise: z.number(),
  /** By when the first refund has to be sent, and how many business days are left; below zero: days overdue. */
  refund_due_on: z.string().nullable(),
  refund_days_left: z.number().nullable(),
  undelivered: z.number(),
  /** Claims of which something is left to do, and those past their time. */
  claims: z.number(),
  claims_overdue: z.number(),
  claim_due_at: z.string().nullable(),
  bills_overdue: z.number(),
  bills_overdue_paise: z.number(),
  expenses_due: z.number(),
  expenses_due_paise: z.number(),
  low_stock: z.number(),
  waited_for: z.number(),
  unbacked_offers: z.number(),
});
export type Todo = z.infer<typeof Todo>;

export const Sheet = z.object({
  orders: z.number(),
  sweets: z.array(
    z.object({
      product_id: z.number(),
      name: z.string(),
      category: z.string(),
      half_kilos: z.number(),
      kilos: z.number(),
      /** Single pieces, for boxes that customers filled. */
      box_pieces: z.number(),
      grams: z.number(),
      pieces: z.number(),
      due_grams: z.number(),
      due_pieces: z.number(),
      orders: z.number(),
      /** How many of these orders are gifts. */
      gifts: z.number(),
    }),
  ),
  /** The packing days of orders for a later day. */
  later: z.array(z.object({ day, orders: z.number() })),
});
export type Sweet = z.infer<typeof Sheet>['sweets'][number];

const GiftCount = z.object({ orders: z.number(), gifts: z.number(), gifts_paise: z.number() });

/** Gifts of this month so far beside the month before, and the days on which gifts are due. */
export const readGiftFigures = defineFunction(
  'admin_read_gift_figures',
  { at },
  z.object({
    month: day,
    month_before: day,
    now: GiftCount,
    before: GiftCount,
    days: z.array(z.object({ day, gifts: z.number(), to_pack: z.number() })),
  }),
);

export const readDashboard = defineFunction('admin_read_dashboard', { period: z.string().nullish(), at }, Dashboard);

export const readWork = defineFunction('admin_read_work', { at }, Todo);

/** The counts in `readWork` that need neither money nor deadlines. */
export const readTodo = defineFunction(
  'admin_read_todo',
  { at },
  Todo.pick({
    unconfirmed: true,
    pack_today: true,
    to_give_back: true,
    low_stock: true,
    waited_for: true,
    unbacked_offers: true,
  }),
);

export const readKitchen = defineFunction(
  'admin_read_kitchen',
  { only_due: z.boolean().nullish(), at, packed_on: day.nullish() },
  Sheet,
);
