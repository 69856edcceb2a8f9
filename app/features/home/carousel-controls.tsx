import { type RefObject, useEffect, useState } from 'react';
import { IconButton } from '#app/ui/button.tsx';
import styles from './hero-carousel.module.css';
import type { Slide } from './hero-carousel.tsx';
import { useReducedMotion } from './reduced-motion.ts';
import { useRotation } from './use-rotation.ts';

export type CarouselControlsProps = {
  slides: Slide[];
  carousel: RefObject<HTMLElement | null>;
  track: RefObject<HTMLElement | null>;
};

/** Everything that moves the slides, besides the visitor's finger. */
export default function CarouselControls({ slides, carousel, track }: CarouselControlsProps) {
  const current = useSlideInView(track);
  const still = useReducedMotion();
  const show = (index: number) => {
    const element = track.current;
    if (!element) return;
    // Further than to a neighbour, the last one to the first above all, it would rush past all slides in between.
    const isNeighbour = Math.abs(index - current) <= 1;
    element.scrollTo({ left: index * element.clientWidth, behavior: still || !isNeighbour ? 'instant' : 'smooth' });
    if (!still && !isNeighbour) element.animate([{ opacity: 0 }, { opacity: 1 }], 300);
  };
  const rotation = useRotation({ carousel, current, count: slides.length, show });
  return (
    <div className={styles.controls}>
      <IconButton
        label={rotation.on ? 'Pause slides' : 'Play slides'}
        className={styles.control}
        onClick={rotation.toggle}
      >
        {rotation.on ? <PauseMark /> : <PlayMark />}
      </IconButton>
      <div className={styles.dots}>
        {slides.map((slide, index) => (
          <button
            key={slide.id}
            type="button"
            className={styles.dot}
            aria-label={`Slide ${index + 1}: ${slide.title}`}
            aria-current={index === current || undefined}
            onClick={() => show(index)}
          />
        ))}
      </div>
      <IconButton
        label="Previous slide"
        className={styles.control}
        onClick={() => show((current + slides.length - 1) % slides.length)}
      >
        <Chevron path="m14.500 6-6 6 6 6" />
      </IconButton>
      <IconButton label="Next slide" className={styles.control} onClick={() => show((current + 1) % slides.length)}>
        <Chevron path="m9.500 6 6 6-6 6" />
      </IconButton>
    </div>
  );
}

function useSlideInView(track: RefObject<HTMLElement | null>): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const element = track.current;
    if (!element) return;
    const look = () => setCurrent(Math.round(element.scrollLeft / element.clientWidth));
    look();
    element.addEventListener('scroll', look);
    return () => element.removeEventListener('scroll', look);
  }, [track]);
  return current;
}

const PauseMark = () => (
  <svg viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true">
    <path d="M7.500 6h3v12h-3ZM13.500 6h3v12h-3Z" />
  </svg>
);

const PlayMark = () => (
  <svg viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true">
    <path d="M8.500 5.500v13l10-6.500Z" />
  </svg>
);

const Chevron = ({ path }: { path: string }) => (
  <svg
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.800"
    aria-hidden="true"
  >
    <path d={path} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
