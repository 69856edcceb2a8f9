import { useCallback, useContext, useEffect, useSyncExternalStore } from 'react';
import { recall, remember } from '#app/backend/remembered.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { DocumentContext } from '#app/ui/document.ts';
import { type Greeting, GreetingBanner } from './greeting-banner.tsx';

export type { Greeting };

const dismissedKey = 'mithaas-greeting-';

// The page is the same for everybody, so the banner is in it. Before anything is painted this takes it away again
// from those who dismissed it.
const hideIfDismissed = `(()=>{const s=document.currentScript;try{if(localStorage.getItem('${dismissedKey}'+s.dataset.greeting))s.parentElement.hidden=true}catch{}})()`;

const listeners = new Set<() => void>();
// Where nothing can be stored, a greeting stays dismissed until the page is left.
const dismissedHere = new Set<number>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isDismissed(id: number): boolean {
  return dismissedHere.has(id) || recall('localStorage', dismissedKey + id) !== null;
}

function dismiss(id: number): void {
  dismissedHere.add(id);
  remember('localStorage', dismissedKey + id, 'dismissed');
  for (const listener of listeners) listener();
}

export function FestivalBanner({ greeting, onDismiss }: { greeting: Greeting; onDismiss(): void }) {
  const isServerMarkup = !useHydrated();
  const { nonce } = useContext(DocumentContext);
  const gone = useSyncExternalStore(
    subscribe,
    useCallback(() => isDismissed(greeting.id), [greeting.id]),
    () => false,
  );
  useFireworks(greeting, !gone);
  if (gone) return null;
  return (
    <GreetingBanner
      greeting={greeting}
      onDismiss={() => {
        dismiss(greeting.id);
        onDismiss();
      }}
    >
      {isServerMarkup && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
        <script nonce={nonce} data-greeting={greeting.id} dangerouslySetInnerHTML={{ __html: hideIfDismissed }} />
      )}
    </GreetingBanner>
  );
}

/** When the page has come to rest, and never for those who asked for stillness. */
function useFireworks({ id, hasFireworks }: Greeting, wanted: boolean): void {
  useEffect(() => {
    if (!hasFireworks || !wanted || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const over = new AbortController();
    const forget = whenIdle(async () => {
      const { celebrateOnce } = await import('./celebrate-once.ts');
      if (!over.signal.aborted) celebrateOnce(id, over.signal);
    });
    return () => {
      forget();
      over.abort();
    };
  }, [id, hasFireworks, wanted]);
}

/** After everything has loaded and the browser has nothing better to do. */
function whenIdle(work: () => void): () => void {
  let idle = 0;
  const ask = () => {
    // Safari has no idle callbacks.
    idle = window.requestIdleCallback
      ? window.requestIdleCallback(work, { timeout: 3000 })
      : window.setTimeout(work, 500);
  };
  if (document.readyState === 'complete') ask();
  else window.addEventListener('load', ask, { once: true });
  return () => {
    window.removeEventListener('load', ask);
    (window.cancelIdleCallback ?? window.clearTimeout)(idle);
  };
}
