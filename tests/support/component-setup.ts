// Each component test begins with an empty page, and without the cart, notes or messages of the one before.
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { storeBasket } from '#app/features/cart/basket.ts';
import { clearToasts } from '#app/ui/toast.tsx';
import { emptyBasket } from '#domain/cart/cart.ts';

afterEach(() => {
  cleanup();
  clearToasts();
  storeBasket(emptyBasket);
  localStorage.clear();
  sessionStorage.clear();
});
