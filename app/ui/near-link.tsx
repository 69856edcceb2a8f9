import { startTransition, useEffect, useState } from 'react';
import { Link, type LinkProps, NavLink, type NavLinkProps } from 'react-router';
import { onFirstSign } from './first-sign.ts';

let isPrefetching = false;
const listeners = new Set<() => void>();
let isListening = false;

type Connection = { saveData?: boolean; effectiveType?: string };

/** Not for visitors who save data or are on a slow line, nor before they have moved: many leave without a tap. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isListening) onFirstSign(allow);
  isListening = true;
  return () => void listeners.delete(listener);
}

function allow(): void {
  const { saveData, effectiveType } = (navigator as { connection?: Connection }).connection ?? {};
  if (saveData || effectiveType?.includes('2g')) return;
  // The router reloads the page when it cannot load the code of a route it prefetches. The service worker has that code.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (workers?.controller) start();
  else workers?.addEventListener('controllerchange', start, { once: true });
}

function start(): void {
  isPrefetching = true;
  for (const listener of listeners) listener();
}

function usePrefetch(): 'viewport' | 'none' {
  const [isOn, setOn] = useState(isPrefetching);
  // A page has dozens of links: a tap may come between them.
  useEffect(() => subscribe(() => startTransition(() => setOn(true))), []);
  return isOn ? 'viewport' : 'none';
}

/** A link whose page is likely next: once it is in view, its data and code are fetched before the tap. */
export function NearLink(props: LinkProps) {
  return <Link {...props} prefetch={usePrefetch()} />;
}

/** The same for links that show whether they are the current page. */
export function NearNavLink(props: NavLinkProps) {
  return <NavLink {...props} prefetch={usePrefetch()} />;
}
