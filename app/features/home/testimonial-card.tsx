import { Stars } from '#app/ui/stars.tsx';
import type { Testimonial } from '#domain/home/testimonials.ts';
import styles from './testimonials.module.css';

// What fits the card; longer ones are scrolled inside it, by keyboard too.
const fittingLength = 240;

export function TestimonialCard({ testimonial: { title, text, author, stars } }: { testimonial: Testimonial }) {
  return (
    <div className={styles.card}>
      <Stars rating={stars} />
      <h3>{title}</h3>
      <blockquote tabIndex={text.length > fittingLength ? 0 : undefined}>{text}</blockquote>
      <p>{author}</p>
    </div>
  );
}
