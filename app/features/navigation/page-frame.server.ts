import type { ShopContext } from '#app/shop-context.ts';
import { pageFrame } from '#contracts/catalogue.ts';
import { call, type ResultOf } from '#contracts/contract.ts';
import type { ShopFacts } from '#domain/shop/shop-facts.ts';

type FrameRow = ResultOf<typeof pageFrame>;

const shopFrom = (row: FrameRow['shop']): ShopFacts & { weeklyOff: number[] } => ({
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
});

const greetingFrom = ({ has_fireworks, ...row }: NonNullable<FrameRow['greeting']>) => ({
  ...row,
  hasFireworks: has_fireworks,
});
export type Greeting = ReturnType<typeof greetingFrom>;

export type PageFrame = {
  shop: ReturnType<typeof shopFrom>;
  greeting: Greeting | null;
  categories: FrameRow['categories'];
};

const framesOfRequests = new WeakMap<ShopContext, Promise<PageFrame>>();

/**
 * What surrounds every page: the shop's facts and the greeting of the moment. Read once for a request, though the
 * frame shows it and the page inside names the shop in its title.
 */
export function loadPageFrame(shop: ShopContext): Promise<PageFrame> {
  const begun = framesOfRequests.get(shop);
  if (begun) return begun;
  const frame = call(shop.read, pageFrame, {}).then((row) => {
    shop.holdsUntil(row.changes_at === null ? null : endFrom(row.changes_at));
    return {
      shop: shopFrom(row.shop),
      greeting: row.greeting && greetingFrom(row.greeting),
      categories: row.categories,
    };
  });
  framesOfRequests.set(shop, frame);
  return frame;
}

/** A page whose end cannot be read is shown, and not cached. */
function endFrom(moment: string): Date {
  const end = new Date(moment);
  return Number.isNaN(end.getTime()) ? new Date(0) : end;
}
