// Offers for tests, as the console saves them.
import type { Queries } from './rows.ts';

export type NewOffer = {
  code?: string | null;
  name?: string;
  kind?: 'percent' | 'amount' | 'free-delivery';
  percent?: number | null;
  amountPaise?: number | null;
  maxDiscountPaise?: number | null;
  minOrderPaise?: number;
  categories?: readonly string[];
  isFirstOrderOnly?: boolean;
  maxUses?: number | null;
  maxUsesPerCustomer?: number | null;
  budgetPaise?: number | null;
  startsAt?: string;
  endsAt?: string | null;
  combines?: boolean;
  stoppedAt?: string | null;
};

export async function insertOffer(sql: Queries, offer: NewOffer = {}): Promise<number> {
  const { kind = 'percent', code = null, name = 'Test offer', minOrderPaise = 0, categories = [] } = offer;
  const { percent = kind === 'percent' ? 10 : null, amountPaise = kind === 'amount' ? 5_000 : null } = offer;
  const { startsAt = '2020-01-01T00:00:00+05:30' } = offer;
  const [row] = await sql<{ id: string }[]>`
    insert into private.offers (code, name, kind, percent, amount_paise, max_discount_paise, min_order_paise, categories,
                                is_first_order_only, max_uses, max_uses_per_customer, budget_paise, starts_at, ends_at, combines, stopped_at)
    values (${code}, ${name}, ${kind}, ${percent}, ${amountPaise}, ${offer.maxDiscountPaise ?? null}, ${minOrderPaise}, ${[...categories]},
            ${offer.isFirstOrderOnly ?? false}, ${offer.maxUses ?? null}, ${offer.maxUsesPerCustomer ?? null}, ${offer.budgetPaise ?? null},
            ${startsAt}, ${offer.endsAt ?? null}, ${offer.combines ?? false}, ${offer.stoppedAt ?? null})
    returning id`;
  return Number(row?.id);
}

/** Uses that are reserved, and uses that became orders. */
export async function usesOf(sql: Queries, offerId: number): Promise<[held: number, used: number]> {
  const [row] = await sql<
    { held: number; used: number }[]
  >`select held, used from private.offer_counts where offer_id = ${offerId}`;
  return [row?.held ?? -1, row?.used ?? -1];
}
