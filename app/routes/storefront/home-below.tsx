import { useBasket } from '#app/features/cart/basket-state.ts';
import { BrandStory } from '#app/features/home/brand-story.tsx';
import { BulkOrder } from '#app/features/home/bulk-order.tsx';
import { type Combo, ComboPacks } from '#app/features/home/combo-packs.tsx';
import { OrderNow } from '#app/features/home/order-now.tsx';
import { Steps } from '#app/features/home/steps.tsx';
import { Testimonials } from '#app/features/home/testimonials.tsx';
import type { PublicConfig } from '#app/shop-context.ts';
import type { StorefrontData } from './layout.tsx';

export type HomeBelowProps = { combos: Combo[]; shop: StorefrontData['shop']; config: PublicConfig };

/** The part of the home page below the fold. */
export default function HomeBelow({ combos, shop, config }: HomeBelowProps) {
  const basket = useBasket();
  return (
    <div className="seen-later">
      <BrandStory fssaiNumber={shop.fssaiNumber} />
      <ComboPacks combos={combos} after={<BulkOrder shop={shop} basket={basket} config={config} />} />
      <Steps />
      <OrderNow />
      <Testimonials config={config} />
    </div>
  );
}
