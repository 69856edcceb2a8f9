import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import DayChoice from '#app/features/delivery/day-choice.tsx';
import PincodeCheck from '#app/features/delivery/pincode-check.tsx';
import type { Choice } from '#app/features/product/purchase-options.tsx';
import { rememberWish } from '#app/features/product/wish.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { totalsMessage } from '#domain/checkout/messages.ts';
import { useStorefront } from './layout.tsx';

// With what is below the buttons, after the page.
const OfferCode = lazy(() => import('#app/features/checkout/direct-code.tsx'));
const SendElsewhere = lazy(() => import('#app/features/checkout/send-elsewhere.tsx'));

export type ProductDeliveryProps = { product: ProductDetails; choice: Choice };

/** Below the buttons of a product: where it can be sent, and a way to send it to another person. Loaded after the page. */
export default function ProductDelivery({ product, choice }: ProductDeliveryProps) {
  const session = useSession();
  const { shop } = useStorefront();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const line = { productId: product.id, size: choice.size, quantity: choice.quantity };

  async function open() {
    // Pressed before the session is known, the customer may be logged in all the same.
    const access = session.who ? null : await session.token();
    if (!access || access.ok) return setOpen(true);
    if (access.reason === 'not-refreshed') return toast('error', totalsMessage({ reason: 'no-token' }));
    rememberWish(line);
    const started = await session.signIn();
    if (!started.ok) toast('error', started.message);
  }

  return (
    <>
      <PincodeCheck bought="now" productIds={[product.id]} grams={choice.grams} />
      <Button variant="text" aria-haspopup="dialog" disabled={choice.quantity === 0} onClick={open}>
        Send as a gift or to another address
      </Button>
      <Suspense>
        <OfferCode />
      </Suspense>
      {isOpen && (
        <Suspense>
          <SendElsewhere
            product={product}
            line={line}
            shopName={shop.name}
            dayChoice={(day) => <DayChoice {...day} />}
            goTo={(path) => navigate(path, { viewTransition: true })}
            onLeave={() => rememberWish(line)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
