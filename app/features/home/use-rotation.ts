import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useReducedMotion } from './reduced-motion.ts';

export const carouselMilliseconds = 5000;

export type RotationOptions = {
  carousel: RefObject<HTMLElement | null>;
  current: number;
  count: number;
  show(index: number): void;
};

/**
 * Shows the next one every five seconds. Rests while the pointer or the focus is on it, stops when told to, and starts
 * automatically only for visitors who did not ask for reduced motion. Pressing play counts even with the pointer on the button.
 */
export function useRotation({ carousel, current, count, show }: RotationOptions) {
  const still = useReducedMotion();
  const [wish, setWish] = useState<'play' | 'stop' | null>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [insists, setInsists] = useState(false);
  const on = count > 1 && (wish === null ? !still : wish === 'play');
  const rotating = on && (insists || (!hovered && !focused));

  useEffect(() => {
    const element = carousel.current;
    if (!element) return;
    const gone = new AbortController();
    const hear = (event: string, act: (event: Event) => void) =>
      element.addEventListener(event, act, { signal: gone.signal });
    const leave = (left: (there: false) => void) => {
      left(false);
      setInsists(false);
    };
    // The pointer may be on it before this code runs.
    setHovered(element.matches(':hover'));
    setFocused(element.contains(document.activeElement));
    hear('pointerenter', () => setHovered(true));
    hear('pointerleave', () => leave(setHovered));
    hear('focusin', () => setFocused(true));
    hear('focusout', (event) => {
      if (!element.contains((event as FocusEvent).relatedTarget as Node | null)) leave(setFocused);
    });
    return () => gone.abort();
  }, [carousel]);

  const advance = useEffectEvent(show);
  useEffect(() => {
    if (!rotating) return;
    // An interval, not a timeout: an interrupted scroll is retried.
    const timer = setInterval(() => advance((current + 1) % count), carouselMilliseconds);
    return () => clearInterval(timer);
  }, [rotating, current, count]);

  return {
    on,
    toggle() {
      setWish(on ? 'stop' : 'play');
      setInsists(!on);
    },
  };
}
