import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createRoutesStub, useLocation } from 'react-router';
import { vi } from 'vitest';
import { type Session, SessionContext } from '#app/backend/session.tsx';
import { Toaster } from '#app/ui/toast.tsx';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { paise } from '#domain/money.ts';

/** A session as the browser knows it; `visitor` has none. */
export const visitor: Session = {
  state: 'visitor',
  who: null,
  isAdministrator: false,
  hasCheckFailed: false,
  config: { url: null, key: 'publishable', signInProvider: 'google' },
  signIn: vi.fn(async () => ({ ok: true as const })),
  signOut: vi.fn(async () => {}),
  client: () => Promise.reject(new Error('a visitor has no client')),
  token: async () => ({ ok: false, reason: 'signed-out' }),
  renewToken: async () => ({ ok: false, reason: 'signed-out' }),
  signInBeside: vi.fn(async () => ({ ok: true as const })),
  checkAgain: vi.fn(),
};

export const customer: Session = {
  ...visitor,
  state: 'signed-in',
  who: { id: '8a1d2a34-0000-4000-8000-000000000001', name: 'Meera Joshi', email: 'meera@example.com', avatarUrl: null },
  token: async () => ({ ok: true, token: 'token' }),
};

/** Shows a part of a page with messages, links and a session; the address is shown, too. */
export function showPart(part: ReactNode, { at = '/', session = visitor } = {}): RenderResult {
  const Page = createRoutesStub([
    {
      path: '*',
      Component: () => (
        <SessionContext value={session}>
          {part}
          <Address />
          <Toaster />
        </SessionContext>
      ),
    },
  ]);
  return render(<Page initialEntries={[at]} />);
}

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

export function productOf(some: Partial<ProductDetails> = {}): ProductDetails {
  return {
    id: 9,
    name: 'Besan Laddu',
    pricePaise: paise(32_000),
    regularPricePaise: null,
    image: '/images/besan-laddu-960.webp',
    category: 'Laddu',
    available: true,
    hasSize: true,
    rating: null,
    reviewCount: 0,
    offerPercent: null,
    gstPercent: 5,
    foodMark: 'veg',
    description: 'Roasted gram flour, ghee and sugar.',
    weightGrams: 500,
    ingredients: 'Gram flour, ghee, sugar',
    allergens: 'Milk',
    shelfLifeDays: 20,
    storage: 'Store in a cool, dry place.',
    maker: '',
    taste: '',
    travel: '',
    pictures: [],
    ...some,
  };
}
