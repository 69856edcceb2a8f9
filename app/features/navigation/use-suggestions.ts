import { useEffect, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import type { PublicConfig } from '#app/shop-context.ts';

export type Sweet = {
  Id: number;
  Name: string;
  Price: number;
  Image: string;
  Category: string;
  isavailable: boolean;
};
type Ready = { state: 'ready'; text: string; found: number; sweets: Sweet[] };
export type Suggested = { state: 'none' } | { state: 'away' } | Ready;

const pauseMs = 120;
const most = 5;
const shortest = 2;
const kept = new Map<string, Ready>();
const mostKept = 50;

/**
 * What the shop suggests for a text, when the typing pauses. The last answer stays until the next is here; one that comes
 * late is dropped. Without a connection it says so, and asks again when there is one.
 */
export function useSuggestions(config: PublicConfig, text: string): Suggested {
  const [answer, setAnswer] = useState<Suggested>({ state: 'none' });

  useEffect(() => {
    if ([...text].length < shortest) return setAnswer({ state: 'none' });
    const known = kept.get(text);
    if (known) return setAnswer(known);
    const stale = new AbortController();
    async function load() {
      try {
        const ready = await ask(config, text);
        keep(ready);
        if (!stale.signal.aborted) setAnswer(ready);
      } catch {
        if (stale.signal.aborted) return;
        setAnswer({ state: 'away' });
        window.addEventListener('online', load, { once: true, signal: stale.signal });
      }
    }
    const timer = setTimeout(load, pauseMs);
    return () => {
      stale.abort();
      clearTimeout(timer);
    };
  }, [config, text]);

  return answer;
}

async function ask(config: PublicConfig, text: string): Promise<Ready> {
  const query = new URLSearchParams({ query: text, most: String(most) });
  const answer = (await readAsVisitor(config, `rpc/search_products?${query}`)) as {
    found: number;
    products: Sweet[];
    nearest: Sweet[];
  };
  const sweets = answer.found > 0 ? answer.products : answer.nearest.slice(0, 3);
  return { state: 'ready', text, found: answer.found, sweets };
}

function keep(ready: Ready): void {
  kept.set(ready.text, ready);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}
