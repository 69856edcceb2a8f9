// Functions of schemas/20_console/03_find.sql: one search for everything.
import { orderStatuses } from '../../../domain/orders/status.ts';
import { at, defineFunction } from '../contract.ts';
import { z } from '../z.ts';

export const foundKinds = ['order', 'customer', 'product', 'vendor'] as const;
export type FoundKind = (typeof foundKinds)[number];

export const FoundLine = z.object({
  kind: z.enum(foundKinds),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  /** Of orders. */
  status: z.enum(orderStatuses).optional(),
  at: z.string().optional(),
  paise: z.number().optional(),
});
export type FoundLine = z.infer<typeof FoundLine>;

/** The result of admin_find_anything. */
export const Found = z.object({
  recent: z.array(FoundLine),
  groups: z.array(
    z.object({ kind: z.enum(foundKinds), count: z.number(), count_is_capped: z.boolean(), rows: z.array(FoundLine) }),
  ),
});
export type Found = z.infer<typeof Found>;

export const findAnything = defineFunction(
  'admin_find_anything',
  {
    typed: z.string().nullish(),
    recent: z.array(z.object({ kind: z.enum(foundKinds), id: z.string() })).nullish(),
    at,
  },
  Found,
);
