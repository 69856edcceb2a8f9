import { useRef } from 'react';
import { buttonClass } from '#app/ui/button.tsx';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { slideSources } from '#domain/home/slide-image.ts';
import styles from './hero-carousel.module.css';
import { SiteLink } from './site-link.tsx';

const CarouselControls = lazyPart(() => import('./carousel-controls.tsx'), [styles]);

export type Slide = { id: number; image: string; title: string; subtitle: string; action: string; button: string };

// On a phone the picture is cut to its right part, so it is wider than the screen.
const sizes = '(min-width: 1200px) 1136px, (min-width: 641px) 95vw, 142vw';

export function HeroCarousel({ slides }: { slides: Slide[] }) {
  const carousel = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  if (slides.length === 0) return null;
  return (
    <section ref={carousel} className={styles.carousel} aria-roledescription="carousel" aria-label="From our kitchen">
      <div ref={track} className={styles.track}>
        {slides.map((slide, index) => (
          <SlidePanel key={slide.id} slide={slide} first={index === 0} place={`${index + 1} of ${slides.length}`} />
        ))}
      </div>
      {slides.length > 1 && <CarouselControls slides={slides} carousel={carousel} track={track} />}
    </section>
  );
}

/** One alone is shown so in the console's preview. */
export function SlidePanel({ slide, first, place }: { slide: Slide; first: boolean; place: string }) {
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
        fetchPriority={first ? 'high' : undefined}
        decoding={first ? 'sync' : 'async'}
      />
      <div className={styles.words}>
        <h2>{slide.title}</h2>
        {slide.subtitle && <p>{slide.subtitle}</p>}
        <SiteLink to={slide.action} className={buttonClass({ variant: 'primary' })}>
          {slide.button}
        </SiteLink>
      </div>
    </div>
  );
}
