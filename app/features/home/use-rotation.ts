import { useEffect, useState } from 'react';
import { useReducedMotion } from './browser-state.ts';

export const carouselMilliseconds = 5000;

/**
 * Shows the next one every five seconds. Rests while the pointer or the focus is on it, stops when told to, and starts
 * by itself only for those who did not ask for stillness. Pressing play counts even with the pointer on the button.
 */
export function useRotation({ current, count, show }: { current: number; count: number; show(index: number): void }) {
  const still = useReducedMotion();
  const [wish, setWish] = useState<'play' | 'stop' | null>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [insists, setInsists] = useState(false);
  const on = count > 1 && (wish === null ? !still : wish === 'play');
  const rotating = on && (insists || (!hovered && !focused));

  // biome-ignore lint/correctness/useExhaustiveDependencies: show only scrolls, it never changes what it does
  useEffect(() => {
    if (!rotating) return;
    // An interval, not a timeout: a scroll that somebody interrupts is tried again.
    const timer = setInterval(() => show((current + 1) % count), carouselMilliseconds);
    return () => clearInterval(timer);
  }, [rotating, current, count]);

  return {
    on,
    toggle() {
      setWish(on ? 'stop' : 'play');
      setInsists(!on);
    },
    handlers: {
      onPointerEnter: () => setHovered(true),
      onPointerLeave: () => {
        setHovered(false);
        setInsists(false);
      },
      onFocus: () => setFocused(true),
      onBlur: (event: React.FocusEvent<HTMLElement>) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setFocused(false);
        setInsists(false);
      },
    },
  };
}
