import { lazy, Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AccountPage } from '#app/features/account/account-page.tsx';
import { accountTabFrom, linkedOrderFrom } from '#app/features/account/account-tabs.tsx';
import type { OrderToBuy } from '#app/features/account/order-again.ts';
import type { PastOrder } from '#app/features/account/order-history.ts';
import type { WayBack } from '#app/features/account/profile-form.tsx';
import type { GiftToSend } from '#app/features/account/send-again.ts';
import { orderAgain } from '#app/features/cart/actions.ts';
import { useBasket } from '#app/features/cart/basket-state.ts';
import { boxesAgain } from '#app/features/cart/box-moves.ts';
import { storeDraft } from '#app/features/checkout/parcel-draft.ts';
import { toast } from '#app/ui/toast.tsx';
import { totalQuantity } from '#domain/cart/cart.ts';
import type { Route } from './+types/profile.ts';
import { useStorefront } from './layout.tsx';

// With the first order that is opened: most visits to a profile open none.
const ClaimsSection = lazy(() => import('#app/features/claims/claims-section.tsx'));

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Profile · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export default function ProfileRoute() {
  const query = new URLSearchParams(useLocation().search);
  const { shop } = useStorefront();
  const navigate = useNavigate();
  const wayBack = useWayBack(query);
  async function buyAgain({ lines, boxes }: OrderToBuy, order: PastOrder) {
    if (!orderAgain(lines)) return;
    boxesAgain(boxes);
    await navigate('/cart');
    toast('success', `Items from order ${order.number ?? order.shortId} are in your cart.`);
  }
  async function sendAgain({ lines, boxes, ...parcel }: GiftToSend, order: PastOrder): Promise<boolean> {
    if (!orderAgain(lines)) return false;
    boxesAgain(boxes);
    storeDraft({ ...parcel, isGift: true });
    await navigate('/cart');
    toast(
      'success',
      `The gift for ${order.gift?.recipient ?? 'your recipient'} is in your cart. Its card and address are filled in at checkout.`,
    );
    return true;
  }
  return (
    <main>
      <h1 className="visually-hidden">Your profile at {shop.name}</h1>
      <noscript>
        <p className="lonely-page">Turn on JavaScript to see your profile and orders.</p>
      </noscript>
      <AccountPage
        tab={accountTabFrom(query)}
        linkedOrder={linkedOrderFrom(query)}
        shop={shop}
        wayBack={wayBack}
        orderAgain={buyAgain}
        sendAgain={sendAgain}
        claims={(orderId) => (
          <Suspense>
            <ClaimsSection caller={{ order: orderId }} />
          </Suspense>
        )}
      />
    </main>
  );
}

/** Most customers complete their address to buy something: where that was. */
function useWayBack(query: URLSearchParams): WayBack | null {
  const isCartFilled = totalQuantity(useBasket()) > 0;
  const product = query.get('product') ?? '';
  if (/^[1-9]\d{0,8}$/.test(product)) return { to: `/product/${product}`, label: 'Back to the product' };
  return isCartFilled ? { to: '/cart', label: 'Back to your cart' } : null;
}
