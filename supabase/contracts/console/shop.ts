// Functions of schemas/20_console/71_shop.sql: the shop’s facts, and the order of slides and testimonials.
import { defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';

/** The shop's facts, as admin_read_shop gives them and the form holds them. */
export const ShopFields = z.object({
  name: z.string(),
  legal_name: z.string(),
  address: z.string(),
  state: z.string(),
  fssai_number: z.string(),
  gstin: z.string(),
  email: z.string(),
  whatsapp_number: z.string(),
  instagram_url: z.string(),
  facebook_url: z.string(),
  grievance_officer: z.string(),
  grievance_email: z.string(),
  grievance_phone: z.string(),
  grievance_hours: z.string(),
});
export type ShopValues = z.infer<typeof ShopFields>;

export const ShopAnswer = z.object({
  facts: ShopFields,
  updated_at: z.string(),
  incomplete_products: z.number(),
});
export type ShopAnswer = z.infer<typeof ShopAnswer>;

export const readShop = defineFunction('admin_read_shop', {}, ShopAnswer);

export const saveShop = defineFunction(
  'admin_save_shop',
  { changes: ShopFields.partial().loose(), seen: moment },
  z.object({ updated_at: moment }),
);

export const orderRows = defineFunction(
  'admin_order_rows',
  { table_name: z.string(), ids: z.array(z.number()), seen: z.array(z.number()) },
  z.object({ moved: z.number() }),
);
