import { type ComponentType, useEffect, useState } from 'react';
import type { ProductDetails } from '#domain/catalog/product.ts';
import type { ProductModalContentProps } from './product-modal-content.tsx';

/** A product comes together with the code that shows it, which the page does not load before. */
export type DetailsState =
  | { state: 'none' | 'loading' | 'missing' | 'failed' }
  | { state: 'ready'; product: ProductDetails; Content: ComponentType<ProductModalContentProps> };

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
    const [response, { ProductModalContent }] = await Promise.all([
      fetch(`/product-details?${new URLSearchParams({ name })}`, { signal }),
      import('./product-modal-content.tsx'),
    ]);
    if (!response.ok) return { state: 'failed' };
    const product = (await response.json()) as ProductDetails | null;
    return product ? { state: 'ready', product, Content: ProductModalContent } : { state: 'missing' };
  } catch {
    return { state: 'failed' };
  }
}
