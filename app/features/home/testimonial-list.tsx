import { useEffect, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { recall, remember } from '#app/backend/remembered.ts';
import type { PublicConfig } from '#app/shop-context.ts';
import {
  cacheEntryFor,
  type Testimonial,
  testimonialsFrom,
  testimonialsFromCache,
  testimonialsShown,
} from '#domain/home/testimonials.ts';
import { TestimonialCard } from './testimonial-card.tsx';
import { TestimonialSkeletons } from './testimonial-skeletons.tsx';
import styles from './testimonials.module.css';

const cacheKey = 'mithaas-testimonials';
const query = `testimonials?select=id,title,author,text,stars&is_published=is.true&order=position,id&limit=${testimonialsShown}`;

export default function TestimonialList({ config }: { config: PublicConfig }) {
  const shown = useTestimonials(config);
  if (shown === 'waiting') return <TestimonialSkeletons />;
  if (shown === 'failed' || shown.length === 0) {
    return (
      <p className={styles.quiet} role="status">
        {shown === 'failed' ? 'We couldn’t load reviews right now.' : 'No reviews yet.'}
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a row that scrolls must be reachable by keyboard
    <ul className={styles.row} tabIndex={0} aria-labelledby="testimonials">
      {shown.map((item) => (
        <li key={item.id}>
          <TestimonialCard testimonial={item} />
        </li>
      ))}
    </ul>
  );
}

/** From the cache of four hours, else from the Data API. Only ever rendered in the browser. */
function useTestimonials(config: PublicConfig): Testimonial[] | 'waiting' | 'failed' {
  const [shown, setShown] = useState<Testimonial[] | 'waiting' | 'failed'>(
    () => testimonialsFromCache(recall('localStorage', cacheKey), Date.now()) ?? 'waiting',
  );
  const isWaiting = shown === 'waiting';
  useEffect(() => {
    if (!isWaiting) return;
    let gone = false;
    readAsVisitor(config, query).then(
      (rows) => {
        if (gone) return;
        const testimonials = testimonialsFrom(rows);
        remember('localStorage', cacheKey, cacheEntryFor(testimonials, Date.now()));
        setShown(testimonials);
      },
      () => !gone && setShown('failed'),
    );
    return () => {
      gone = true;
    };
  }, [config, isWaiting]);
  return shown;
}
