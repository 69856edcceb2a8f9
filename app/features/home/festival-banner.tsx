import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { CloseIcon } from '#app/ui/icons.tsx';
import { recall, remember, useIsServerMarkup, useReducedMotion } from './browser-state.ts';
import styles from './festival-banner.module.css';
import { Lamp } from './lamp.tsx';
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
const fireworksKey = 'mithaas-fireworks';

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
  const isServerMarkup = useIsServerMarkup();
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
        <Lamp />
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

/** Once a visit, when the page has come to rest, and never for those who asked for stillness. */
function useFireworks({ id, hasFireworks }: Greeting, wanted: boolean): void {
  const still = useReducedMotion();
  useEffect(() => {
    if (!hasFireworks || !wanted || still || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    if (recall('sessionStorage', fireworksKey) === String(id)) return;
    let stop = () => {};
    let left = false;
    const forget = whenIdle(async () => {
      const { launchFireworks } = await import('./fireworks.ts');
      if (left) return;
      remember('sessionStorage', fireworksKey, String(id));
      stop = launchFireworks(document.body);
    });
    return () => {
      left = true;
      forget();
      stop();
    };
  }, [id, hasFireworks, wanted, still]);
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
