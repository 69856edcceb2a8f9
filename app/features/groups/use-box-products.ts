import { useCallback, useEffect, useState } from 'react';
import type { PublicConfig } from '#app/shop-context.ts';
import { type BoxProduct, readBoxProducts } from './group-backend.ts';

type BoxProducts = { state: 'loading' } | { state: 'failed'; retry(): void } | { state: 'ready'; list: BoxProduct[] };

/** What can be put into a box, read once. */
export function useBoxProducts(config: PublicConfig): BoxProducts {
  const [attempt, setAttempt] = useState(0);
  const [read, setRead] = useState<{ attempt: number; list: BoxProduct[] | null } | null>(null);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    let gone = false;
    readBoxProducts(config)
      .catch(() => null)
      .then((list) => !gone && setRead({ attempt, list }));
    return () => {
      gone = true;
    };
  }, [config, attempt]);
  if (read?.attempt !== attempt) return { state: 'loading' };
  return read.list ? { state: 'ready', list: read.list } : { state: 'failed', retry };
}
