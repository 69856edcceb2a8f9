import { useRef, useState } from 'react';
import button from '#app/ui/button.module.css';
import { Picture } from '#app/ui/picture.tsx';
import { slideSources } from '#domain/home/slide-image.ts';
import { useReducedMotion } from './browser-state.ts';
import styles from './hero-carousel.module.css';
import { SiteLink } from './site-link.tsx';
import { useRotation } from './use-rotation.ts';

export type Slide = { id: number; image: string; title: string; subtitle: string; action: string; button: string };

// On a phone the picture is cut to its right part, so it is wider than the screen.
const sizes = '(min-width: 1200px) 1136px, (min-width: 641px) 95vw, 142vw';

export function HeroCarousel({ slides }: { slides: Slide[] }) {
  const track = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const still = useReducedMotion();
  const show = (index: number) => {
    const element = track.current;
    element?.scrollTo({ left: index * element.clientWidth, behavior: still ? 'instant' : 'smooth' });
  };
  const rotation = useRotation({ current, count: slides.length, show });
  if (slides.length === 0) return null;
  return (
    <section
      className={styles.carousel}
      aria-roledescription="carousel"
      aria-label="From our kitchen"
      {...rotation.handlers}
    >
      <div
        ref={track}
        className={styles.track}
        onScroll={({ currentTarget }) => setCurrent(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
      >
        {slides.map((slide, index) => (
          <SlidePanel key={slide.id} slide={slide} first={index === 0} place={`${index + 1} of ${slides.length}`} />
        ))}
      </div>
      {slides.length > 1 && (
        <div className={styles.controls}>
          <button type="button" className={styles.control} onClick={rotation.toggle}>
            {rotation.on ? <PauseMark /> : <PlayMark />}
            <span className="visually-hidden">{rotation.on ? 'Pause slides' : 'Play slides'}</span>
          </button>
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
          <button
            type="button"
            className={styles.control}
            aria-label="Previous slide"
            onClick={() => show((current + slides.length - 1) % slides.length)}
          >
            <Chevron path="m14.500 6-6 6 6 6" />
          </button>
          <button
            type="button"
            className={styles.control}
            aria-label="Next slide"
            onClick={() => show((current + 1) % slides.length)}
          >
            <Chevron path="m9.500 6 6 6-6 6" />
          </button>
        </div>
      )}
    </section>
  );
}

function SlidePanel({ slide, first, place }: { slide: Slide; first: boolean; place: string }) {
  const picture = slideSources(slide.image);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form where there is none
    <div className={styles.slide} role="group" aria-roledescription="slide" aria-label={place}>
      <Picture
        sources={picture}
        sizes={sizes}
        className={styles.picture}
        width={1600}
        height={900}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding={first ? 'sync' : 'async'}
      />
      <div className={styles.words}>
        <h2>{slide.title}</h2>
        {slide.subtitle && <p>{slide.subtitle}</p>}
        <SiteLink to={slide.action} className={button.main}>
          {slide.button}
        </SiteLink>
      </div>
    </div>
  );
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
