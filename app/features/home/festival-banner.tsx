import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import styles from './festival-banner.module.css';
import lamp from './lamp.svg';
import { recall, remember } from './remembered.ts';
import { SiteLink } from './site-link.tsx';

export type Greeting = {
  id: number;
  title: string;
  message: string;
  image: string;
  link: string;
  hasFireworks: boolean;
};

const dismissedKey = 'mithaas-greeting-';

// The page is the same for everybody, so the banner is in it. Before anything is painted this takes it away again
// from those who dismissed it. Always the same text: the host allows inline scripts by their hash.
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
  const gone = useSyncExternalStore(
    subscribe,
    useCallback(() => isDismissed(greeting.id), [greeting.id]),
    () => false,
  );
  useFireworks(greeting, !gone);
  if (gone) return null;
  const words = (
    <>
      <strong>{greeting.title}</strong>
      {greeting.message && <span>{greeting.message}</span>}
    </>
  );
  return (
    <aside className={styles.banner} aria-label="Greeting" suppressHydrationWarning>
      {isServerMarkup && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
        <script data-greeting={greeting.id} dangerouslySetInnerHTML={{ __html: hideIfDismissed }} />
      )}
      <div className={styles.inner}>
        <img className={styles.lamp} src={lamp} alt="" width={64} height={64} />
        {greeting.image && <img className={styles.image} src={greeting.image} alt="" width={48} height={48} />}
        {greeting.link ? (
          <SiteLink to={greeting.link} className={styles.words}>
            {words}
          </SiteLink>
        ) : (
          <p className={styles.words}>{words}</p>
        )}
        <button
          type="button"
          className={styles.close}
          aria-label="Dismiss greeting"
          onClick={() => {
            dismiss(greeting.id);
            onDismiss();
          }}
        >
          <CloseIcon />
        </button>
      </div>
    </aside>
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
