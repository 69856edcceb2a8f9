import { z } from 'zod';
import type { ShopContext } from '#app/shop-context.ts';
import type { ShopFacts } from '#domain/shop/shop-facts.ts';

const Shop = z
  .object({
    name: z.string(),
    legal_name: z.string(),
    address: z.string(),
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
    weekly_off: z.array(z.number()),
  })
  .transform((row): ShopFacts & { weeklyOff: number[] } => ({
    name: row.name,
    legalName: row.legal_name,
    address: row.address,
    fssaiNumber: row.fssai_number,
    gstin: row.gstin,
    email: row.email,
    whatsappNumber: row.whatsapp_number,
    instagramUrl: row.instagram_url,
    facebookUrl: row.facebook_url,
    grievanceOfficer: row.grievance_officer,
    grievanceEmail: row.grievance_email,
    grievancePhone: row.grievance_phone,
    grievanceHours: row.grievance_hours,
    weeklyOff: row.weekly_off,
  }));

const Greeting = z
  .object({
    id: z.number(),
    title: z.string(),
    message: z.string(),
    image: z.string(),
    link: z.string(),
    has_fireworks: z.boolean(),
  })
  .transform(({ has_fireworks, ...row }) => ({ ...row, hasFireworks: has_fireworks }));
export type Greeting = z.output<typeof Greeting>;

const PageFrame = z.object({
  shop: Shop,
  greeting: Greeting.nullable(),
  /** Those that the owner added, in their order. */
  categories: z.array(z.object({ name: z.string(), colour: z.string().nullable() })).default([]),
});
export type PageFrame = z.output<typeof PageFrame>;
// A page whose end cannot be read is shown, and not kept.
const End = z.object({ changes_at: z.coerce.date().nullable().catch(new Date(0)) });

const framesOfRequests = new WeakMap<ShopContext, Promise<PageFrame>>();

/**
 * What surrounds every page: the shop's facts and the greeting of the moment. Read once for a request, though the
 * frame shows it and the page inside names the shop in its title.
 */
export function loadPageFrame(shop: ShopContext): Promise<PageFrame> {
  const begun = framesOfRequests.get(shop);
  if (begun) return begun;
  const frame = shop.read('page_frame', {}).then((answer) => {
    shop.holdsUntil(End.parse(answer).changes_at);
    return PageFrame.parse(answer);
  });
  framesOfRequests.set(shop, frame);
  return frame;
}
