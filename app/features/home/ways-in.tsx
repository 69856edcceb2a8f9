import { Link } from 'react-router';
import { Picture } from '#app/ui/picture.tsx';
import type { Category } from '#domain/catalog/category.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { shopAddress } from '#domain/catalog/shop-view.ts';
import type { ShopRating } from '#domain/home/shop-rating.ts';
import { formatCount } from '#domain/money.ts';
import styles from './ways-in.module.css';

/** A category with something in it, and the picture of one of its products. */
export type WayIn = { category: Category; image: string };

export type WaysInProps = { categories: WayIn[]; rating: ShopRating | null; fssaiNumber: string };

const names: Partial<Record<Category, string>> = { Gift: 'Gift boxes' };

/** One's own box, and filters that every catalogue has: an owner need not sell a product of that name. */
const occasions = [
  { name: 'Build your own box', to: '/box' },
  { name: 'Diwali & festivals', to: shopAddress({ tab: 'gifts' }) },
  { name: 'Weddings', to: shopAddress({ tab: 'gifts', price: 'above-400' }) },
  { name: 'A thank you', to: shopAddress({ category: 'Chocolate' }) },
  { name: 'Under ₹500', to: shopAddress({ price: 'below-500' }) },
];

/** For a visitor who does not know yet what to look at: by kind, by occasion, and why to buy here. */
export default function WaysIn({ categories, rating, fssaiNumber }: WaysInProps) {
  return (
    <section className={styles.section} aria-label="Browse the shop">
      <h2 className="visually-hidden">Shop by category</h2>
      <ul className={styles.categories}>
        {categories.map(({ category, image }) => (
          <li key={category} data-category={category}>
            <Link to={shopAddress({ category })}>
              <Picture
                sources={pictureSources(image)}
                sizes="112px"
                className={styles.picture}
                width={112}
                height={112}
              />
              {names[category] ?? category}
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="visually-hidden">Shop by occasion</h2>
      <ul className={styles.occasions}>
        {occasions.map(({ name, to }) => (
          <li key={name}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ul>
      <ul className={styles.reasons} aria-label="Why buy here">
        <li>
          <strong>Made on the day</strong> in small batches
        </li>
        <li>
          <strong>Delivery date</strong> before you pay
        </li>
        {fssaiNumber && (
          <li>
            <strong>FSSAI licensed</strong> {fssaiNumber}
          </li>
        )}
        {rating && (
          <li>
            <strong>Rated {rating.average} out of 5</strong> in {formatCount(rating.count)} reviews
          </li>
        )}
      </ul>
    </section>
  );
}
