// Functions of schemas/20_console/73_offers.sql. `seen` is the row’s updated_at.
import { offerKinds } from '../../../domain/offers/offer.ts';
import { at, day, defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';

export const offerStates = ['running', 'planned', 'stopped', 'ended', 'used-up'] as const;

const paise = z.number();

const Offer = z.object({
  id: z.number(),
  /** null: automatic. */
  code: z.string().nullable(),
  name: z.string(),
  kind: z.enum(offerKinds),
  percent: z.number().nullable(),
  amount_paise: paise.nullable(),
  max_discount_paise: paise.nullable(),
  min_order_paise: paise,
  /** Empty: all of them. */
  categories: z.array(z.string()),
  is_first_order_only: z.boolean(),
  max_uses: z.number().nullable(),
  max_uses_per_customer: z.number().nullable(),
  budget_paise: paise.nullable(),
  combines: z.boolean(),
  from_day: day,
  /** The last day; null: without end. */
  until_day: day.nullable(),
  state: z.enum(offerStates),
  /** Orders that used it, and checkouts that reserve a use now. */
  uses: z.number(),
  reserved: z.number(),
  /** What all of them saved: discounts and delivery charges that were not taken. */
  cost_paise: paise,
  discount_paise: paise,
  shipping_paise: paise,
  /** Totals of those orders, without cancelled ones. */
  sales_paise: paise,
  canceled: z.number(),
  updated_at: moment,
});
export type OfferRow = z.infer<typeof Offer>;

export const listOffers = defineFunction(
  'admin_list_offers',
  { at },
  z.object({ offers: z.array(Offer), categories: z.array(z.string()) }),
);

export const readOffer = defineFunction(
  'admin_read_offer',
  { offer_id: z.number(), at },
  z
    .object({
      offer: Offer,
      /** The newest hundred that used it. */
      orders: z.array(
        z.object({
          id: z.string(),
          number: z.number(),
          placed_at: moment,
          status: z.string(),
          name: z.string(),
          saved_paise: paise,
          total_paise: paise,
        }),
      ),
    })
    .nullable(),
);

const Saved = z.object({ id: z.number(), updated_at: moment });

export const saveOffer = defineFunction(
  'admin_save_offer',
  {
    name: z.string(),
    kind: z.enum(offerKinds),
    from_day: day,
    code: z.string().nullish(),
    percent: z.number().nullish(),
    amount_paise: paise.nullish(),
    max_discount_paise: paise.nullish(),
    min_order_paise: paise.optional(),
    categories: z.array(z.string()).optional(),
    is_first_order_only: z.boolean().optional(),
    max_uses: z.number().nullish(),
    max_uses_per_customer: z.number().nullish(),
    budget_paise: paise.nullish(),
    until_day: day.nullish(),
    combines: z.boolean().optional(),
    offer_id: z.number().nullish(),
    seen: moment.nullish(),
  },
  Saved,
);

/** Stops an offer at once, or resumes it. */
export const stopOffer = defineFunction(
  'admin_stop_offer',
  { offer_id: z.number(), is_stopped: z.boolean(), seen: moment, at },
  Saved,
);

export const deleteOffer = defineFunction(
  'admin_delete_offer',
  { offer_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);
