import { useEffect, useState } from 'react';
import type { ProductDetails } from '#domain/catalog/product.ts';

export type DetailsState =
  | { state: 'none' | 'loading' | 'missing' | 'failed' }
  | { state: 'ready'; product: ProductDetails };

type Answer = DetailsState & { name: string };

/** Reads a product by its name; of two names asked for one after the other, the later counts. */
export function useProductDetails(name: string | null): DetailsState {
  const [answer, setAnswer] = useState<Answer | null>(null);

  useEffect(() => {
    if (name === null) return setAnswer(null);
    let gone = false;
    void (takeExpected(name) ?? read(name)).then((read) => {
      if (!gone) setAnswer({ ...read, name });
    });
    return () => {
      gone = true;
    };
  }, [name]);

  if (name === null) return { state: 'none' };
  return answer?.name === name ? answer : { state: 'loading' };
}

// What is asked for before it is opened is true for as long as a finger needs.
const EXPECTED_FOR_MS = 5_000;
let expected: { name: string; at: number; details: Promise<DetailsState> } | null = null;

/** The product under the pointer may be opened in a moment. */
export function expectProduct(name: string): void {
  if (isExpected(name)) return;
  expected = { name, at: Date.now(), details: read(name) };
}

function isExpected(name: string): boolean {
  return expected?.name === name && Date.now() - expected.at < EXPECTED_FOR_MS;
}

/** Used once: the next opening reads again, and so does a failed prefetch. */
function takeExpected(name: string): Promise<DetailsState> | undefined {
  const found = isExpected(name) ? expected : null;
  expected = null;
  return found?.details.then((details) => (details.state === 'failed' ? read(name) : details));
}

async function read(name: string): Promise<DetailsState> {
  try {
    const response = await fetch(`/product-details?${new URLSearchParams({ name })}`);
    if (!response.ok) return { state: 'failed' };
    const product = (await response.json()) as ProductDetails | null;
    return product ? { state: 'ready', product } : { state: 'missing' };
  } catch {
    return { state: 'failed' };
  }
}
