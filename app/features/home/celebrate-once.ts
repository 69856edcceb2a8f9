import { recall, remember } from '#app/backend/remembered.ts';
import { launchFireworks } from './fireworks.ts';

const fireworksKey = 'mithaas-fireworks';

/** Fireworks once a visit for each greeting; they end when it is dismissed or stillness is asked for. */
export function celebrateOnce(greetingId: number, over: AbortSignal): void {
  if (recall('sessionStorage', fireworksKey) === String(greetingId)) return;
  remember('sessionStorage', fireworksKey, String(greetingId));
  const stop = launchFireworks(document.body);
  over.addEventListener('abort', stop);
  window.matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', stop, { signal: over });
}
