import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Picture } from '#app/ui/picture.tsx';
import title from '#app/ui/section-title.module.css';
import { inclGst } from '#domain/catalog/price-with-tax.ts';
import type { Product } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './combo-packs.module.css';

export type Combo = Product & { description: string };

const sizes = '(min-width: 1200px) 263px, (min-width: 769px) 22vw, 128px';

export function ComboPacks({ combos, after }: { combos: Combo[]; after: ReactNode }) {
  return (
    <section className={styles.section} aria-labelledby="combo-packs">
      <h2 id="combo-packs" className={title.title}>
        Combo Packs
      </h2>
      {combos.length > 0 && (
        <ul className={styles.packs}>
          {combos.map((combo) => (
            <ComboPack key={combo.id} combo={combo} />
          ))}
        </ul>
      )}
      {after}
    </section>
  );
}

function ComboPack({ combo }: { combo: Combo }) {
  const picture = pictureSources(combo.image);
  return (
    <li className={styles.pack} data-category={combo.category}>
      <Picture sources={picture} sizes={sizes} className={styles.picture} width={480} height={480} loading="lazy" />
      <div className={styles.words}>
        <h3>
          <Link to={`/product/${combo.id}`}>{combo.name}</Link>
        </h3>
        <p className={styles.price}>
          <span>{formatPaise(combo.pricePaise)}</span>
          {combo.regularPricePaise !== null && (
            <s>
              <span className="visually-hidden">instead of </span>
              {formatPaise(combo.regularPricePaise)}
            </s>
          )}
        </p>
        <p className={styles.inclusive}>{inclGst(combo.pricePaise, combo.gstPercent)}</p>
        <p className={styles.description}>{combo.description}</p>
      </div>
    </li>
  );
}
