import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Enter pressed before the results for `typed` have arrived picks the first of them when they do. `press` is called on
 * that Enter, `cancel` when the person goes elsewhere.
 */
export function useEarlyEnter(typed: string, isWaiting: boolean, pickFirst: () => void) {
  const pressedFor = useRef<string | null>(null);
  const onResults = useEffectEvent(() => {
    const isStillTyped = pressedFor.current === typed;
    pressedFor.current = null;
    if (isStillTyped) pickFirst();
  });
  useEffect(() => {
    if (!isWaiting) onResults();
  }, [isWaiting]);
  return {
    press() {
      pressedFor.current = typed;
    },
    cancel() {
      pressedFor.current = null;
    },
  };
}
