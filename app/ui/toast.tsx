import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import styles from './toast.module.css';

/** News: done by someone else. */
export type ToastKind = 'success' | 'info' | 'news' | 'warning' | 'error';
export type ToastLink = { href: string; label: string; onFollow?: (() => void) | undefined };
/** Something to do about it; the message goes once it is begun. */
export type ToastAction = { label: string; run(): void };
type Toast = { id: number; kind: ToastKind; text: string; way?: ToastLink | ToastAction };

export const toastMilliseconds = 5000;
/** Time to read, think better of it, and reach the button. */
export const undoMilliseconds = 10_000;

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a message that closes after five seconds. The same message is not stacked. Of news only the latest is shown, and none
 * while a dialog is open.
 */
export function toast(kind: ToastKind, text: string, way?: ToastLink | ToastAction): void {
  lastId += 1;
  const others = toasts.filter((shown) => shown.text !== text && !(kind === 'news' && shown.kind === 'news'));
  change([...others.slice(-3), { id: lastId, kind, text, way }]);
}

function closeToast(id: number): void {
  change(toasts.filter((shown) => shown.id !== id));
}

/** What was said is no longer so. */
export function clearToasts(): void {
  change([]);
}

const none: Toast[] = [];
// A modal dialog makes the page behind it inert, so an open one brings its own region: the last one speaks.
let regions: symbol[] = [];

/** To the region that speaks now; where there is nothing to say, nothing is drawn again. */
function moveOver(): void {
  if (toasts.length > 0) change(toasts.slice());
}

/**
 * Once per page, and once in each open dialog. The region is always there, so that screen readers announce what comes
 * into it.
 */
export function Toaster({ inDialog = false }: { inDialog?: boolean }) {
  const [own] = useState(() => Symbol('toaster'));
  useEffect(() => {
    regions = [...regions, own];
    moveOver();
    return () => {
      regions = regions.filter((region) => region !== own);
      moveOver();
    };
  }, [own]);
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
    () => none,
  );
  const mine = regions.at(-1) === own ? shown.filter(({ kind }) => !(inDialog && kind === 'news')) : none;
  return (
    <section className={styles.region} aria-label="Messages" aria-live="polite">
      {mine.map((item) => (
        <ToastMessage key={item.id} item={item} />
      ))}
    </section>
  );
}

export function ToastMessage({ item }: { item: Toast }) {
  const [paused, setPaused] = useState(false);
  const stay = () => setPaused(true);
  const goOn = () => setPaused(false);
  const { id, way } = item;
  const left = useRef(way && 'run' in way ? undoMilliseconds : toastMilliseconds);
  const close = () => closeToast(id);

  useEffect(() => {
    if (paused) return;
    const started = Date.now();
    const timer = setTimeout(() => closeToast(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - started;
    };
  }, [paused, id]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only gives more time to read
    <div
      className={styles.toast}
      data-kind={item.kind}
      role={/error|warning/.test(item.kind) ? 'alert' : 'status'}
      // Not when it only comes to lie under a pointer at rest: it would stay, on what was to be pressed.
      onPointerMove={stay}
      onPointerDown={stay}
      onPointerLeave={goOn}
      onFocus={stay}
      onBlur={goOn}
    >
      <p>{item.text}</p>
      {way && 'href' in way && (
        <Link
          to={way.href}
          onClick={() => {
            close();
            way.onFollow?.();
          }}
        >
          {way.label}
        </Link>
      )}
      {way && 'run' in way && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            close();
            way.run();
          }}
        >
          {way.label}
        </button>
      )}
      <button type="button" className={styles.close} onClick={close} aria-label="Close message">
        ×
      </button>
    </div>
  );
}
