import { afterPaint } from './after-paint.ts';

/**
 * Runs when the visitor first moves, touches or types: what a press may need is then here before the press is over,
 * and those who only look at the page never load it.
 */
export function onFirstSign(work: () => void): () => void {
  const heard = new AbortController();
  const act = () => {
    heard.abort();
    afterPaint(work);
  };
  for (const sign of ['pointerover', 'keydown']) window.addEventListener(sign, act, { signal: heard.signal });
  return () => heard.abort();
}
