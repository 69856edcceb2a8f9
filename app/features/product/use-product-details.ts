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
    const abort = new AbortController();
    void read(name, abort.signal).then((read) => {
      if (!abort.signal.aborted) setAnswer({ ...read, name });
    });
    return () => abort.abort();
  }, [name]);

  if (name === null) return { state: 'none' };
  return answer?.name === name ? answer : { state: 'loading' };
}

async function read(name: string, signal: AbortSignal): Promise<DetailsState> {
  try {
    const response = await fetch(`/product-details?${new URLSearchParams({ name })}`, { signal });
    if (!response.ok) return { state: 'failed' };
    const product = (await response.json()) as ProductDetails | null;
    return product ? { state: 'ready', product } : { state: 'missing' };
  } catch {
    return { state: 'failed' };
  }
}
