import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { PublicConfig } from '#app/shop-context.ts';
import title from '#app/ui/section-title.module.css';
import { TestimonialSkeletons } from './testimonial-skeletons.tsx';
import styles from './testimonials.module.css';

const TestimonialList = lazy(() => import('./testimonial-list.tsx'));

/** Nothing of it is loaded before the reader comes near; the place is kept until then. */
export function Testimonials({ config }: { config: PublicConfig }) {
  const section = useRef<HTMLElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '600px 0px',
    });
    if (section.current) observer.observe(section.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section ref={section} className={styles.section} aria-labelledby="testimonials">
      <h2 id="testimonials" className={title.title}>
        What our customers say
      </h2>
      {near ? (
        <Suspense fallback={<TestimonialSkeletons />}>
          <TestimonialList config={config} />
        </Suspense>
      ) : (
        <TestimonialSkeletons />
      )}
    </section>
  );
}
