import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { data, redirect, useLocation, useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { recheckCheckout, takeBought } from '#app/features/cart/cart-moves.ts';
import { CartPage } from '#app/features/cart/cart-page.tsx';
import { boxProblems } from '#app/features/cart/priced-boxes.ts';
import { CheckoutSection } from '#app/features/checkout/checkout-section.tsx';
import type { DayToChoose } from '#app/features/checkout/parcel-day.tsx';
import { useUnfinishedPayments } from '#app/features/checkout/use-unfinished-payments.ts';
import PincodeCheck from '#app/features/delivery/pincode-check.tsx';
import { shopContext } from '#app/shop-context.ts';
import { addToList } from '#domain/cart/add-to-list.ts';
import { basketCookies } from '#domain/cart/basket-cookies.ts';
import { cartMapFromCookies } from '#domain/cart/cart-cookies.ts';
import { cartLineFrom } from '#domain/cart/cart-form.ts';
import type { Route } from './+types/cart.ts';
import { useStorefront } from './layout.tsx';

// For visitors who come from the link in a reminder.
const RestoreDialog = lazy(() => import('#app/features/cart/restore-dialog.tsx'));
// With the totals, which come from the server anyway.
const DayChoice = lazy(() => import('#app/features/delivery/day-choice.tsx'));

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Cart · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

/** What was put into the cart before the page it stands on was hydrated. The browser writes the same cookies itself. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') throw data(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  // Not every client sends a form.
  const form = await request.formData().catch(() => null);
  const line = form && cartLineFrom(form);
  if (!line) return redirect('/cart');
  const cookie = request.headers.get('cookie') ?? '';
  const cart = addToList(cartMapFromCookies('cart', cookie), line.productId, line.size, line.quantity).map;
  const basket = { cart, checkout: cartMapFromCookies('checkout', cookie) };
  const stored = basketCookies(basket, { secure: context.get(shopContext).siteUrl.startsWith('https:') });
  const headers = new Headers();
  if (stored.ok) for (const each of stored.cookies) headers.append('set-cookie', each);
  return redirect('/cart', { headers });
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

type Problems = readonly { productId: number; sentence: string; boxKey?: string }[];
const none: Problems = [];

export default function CartRoute() {
  const { state, client } = useSession();
  const saved = useSavedCart();
  const { shop } = useStorefront();
  const followPayments = useUnfinishedPayments(takeBought);
  // What the pincode says of a visitor's cart, and the quote of a customer's checkout.
  const [unreachable, setUnreachable] = useState(none);
  const [heldBack, setHeldBack] = useState(none);
  const moves = {
    recheck: recheckCheckout,
    takeBought,
    followPayments,
    counterAddress: shop.address,
    shopName: shop.name,
    dayChoice: (choice: DayToChoose) => (
      <Suspense>
        <DayChoice {...choice} />
      </Suspense>
    ),
    onHeldBack: useCallback((lines: Problems) => setHeldBack(lines), []),
  };
  const ofProducts = [...unreachable, ...heldBack].filter(({ boxKey }) => boxKey === undefined);
  const problems = new Map(ofProducts.map(({ productId, sentence }) => [productId, sentence]));
  return (
    <>
      {saved.token && (
        <Suspense>
          <RestoreDialog token={saved.token} client={client} onClose={saved.close} />
        </Suspense>
      )}
      <CartPage
        problems={problems}
        boxProblems={boxProblems(heldBack)}
        checkout={({ productIds, grams, ...list }) => (
          <>
            {/* Customers read it in the totals of their checkout, for their own address. */}
            {(state === 'visitor' || list.lines?.length === 0) && (
              <PincodeCheck
                bought="from-cart"
                isToAddress
                productIds={productIds}
                grams={grams}
                onUnreachable={setUnreachable}
              />
            )}
            <CheckoutSection {...list} {...moves} />
          </>
        )}
      />
    </>
  );
}

/**
 * The token of a saved cart, from the link in a reminder. It is behind the address, where no server, log or referrer gets it, and is
 * taken out of the address at once.
 */
function useSavedCart() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const [, found] = /^#restore=([\w-]+)$/.exec(hash) ?? [];
    if (!found) return;
    setToken(found);
    void navigate('/cart', { replace: true, preventScrollReset: true });
  }, [hash, navigate]);
  return { token, close: () => setToken(null) };
}
