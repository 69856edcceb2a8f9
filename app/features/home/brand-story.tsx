import { Link } from 'react-router';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './brand-story.module.css';

const picture = pictureSources('/images/story-960.webp');
const sizes = '(min-width: 1200px) 520px, (min-width: 769px) 44vw, 92vw';

export function BrandStory({ fssaiNumber }: { fssaiNumber: string }) {
  return (
    <section className={styles.story} aria-labelledby="our-story">
      <Picture sources={picture} sizes={sizes} className={styles.picture} width={960} height={960} loading="lazy" />
      <div className={styles.words}>
        <h2 id="our-story">There is no quick way to stir halwa</h2>
        <p>
          So we don’t look for one. Besan is roasted until the whole street knows, carrots cook down in their own time,
          and a laddu is rolled while the mixture is still almost too warm to hold.
        </p>
        <p>
          We make small batches, because sweets like these are best within days. Each one says what’s in it, how long it
          keeps and how to store it. And if it can’t reach your pincode fresh, we’ll tell you before you pay.
        </p>
        <p className={styles.small}>
          {fssaiNumber && <span>FSSAI licence {fssaiNumber}</span>}
          <Link to="/terms?policy=shipping">How we deliver</Link>
        </p>
      </div>
    </section>
  );
}
