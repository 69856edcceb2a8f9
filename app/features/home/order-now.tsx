import { ButtonLink } from '#app/ui/button.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './order-now.module.css';

const picture = pictureSources('/images/empty-cart-960.webp');
const sizes = '(min-width: 1200px) 568px, (min-width: 641px) 48vw, 92vw';

export function OrderNow() {
  return (
    <section className={styles.band} aria-labelledby="order-now">
      <div className={styles.box}>
        <Picture sources={picture} sizes={sizes} className={styles.picture} width={960} height={960} loading="lazy" />
        <div className={styles.words}>
          <h2 id="order-now">A box waiting to be filled</h2>
          <p>Fill it with what you like best. We cook, pack and send it.</p>
          <ButtonLink to="/shop" variant="primary">
            Order Now
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
