import { Link } from 'react-router';
import type { Category } from '#domain/catalog/category.ts';
import {
  allCategories,
  offeredPrices,
  type PriceFilter,
  type ShopView,
  shopAddress,
  shopSorts,
} from '#domain/catalog/shop-view.ts';
import styles from './filter-groups.module.css';

const sortNames: Record<ShopView['sort'], string> = {
  fit: 'Best match',
  bs: 'Best selling',
  'l-h': 'Price: low to high',
  'h-l': 'Price: high to low',
};
const priceName = (price: PriceFilter) => price.replace('below-', 'Below ₹').replace('above-', 'Above ₹');

/** Each choice is a link to the view it makes: it can be shared, gone back from, and needs no script. */
export function FilterGroups({ view, ownCategories }: { view: ShopView; ownCategories: readonly Category[] }) {
  const to = (change: Partial<ShopView>) => shopAddress({ ...view, shown: undefined, ...change });
  return (
    <>
      <Group
        title="Category"
        choices={[
          { name: 'All', to: to({ category: 'all' }), chosen: view.category === 'all' },
          ...allCategories(ownCategories).map((category) => ({
            name: category,
            to: to({ category }),
            chosen: view.category === category,
          })),
        ]}
      />
      <Group
        title="Sort"
        choices={(view.q ? (['fit', ...shopSorts] as const) : shopSorts).map((sort) => ({
          name: sortNames[sort],
          to: to({ sort }),
          chosen: view.sort === sort,
          hint: sort === 'bs' ? 'highest rated first' : undefined,
        }))}
      />
      <Group
        title="Price"
        choices={[
          { name: 'Any price', to: to({ price: null }), chosen: view.price === null },
          ...offeredPrices(view).map((price) => ({
            name: priceName(price),
            to: to({ price }),
            chosen: view.price === price,
          })),
        ]}
      />
    </>
  );
}

type Choice = { name: string; to: string; chosen: boolean; hint?: string | undefined };

function Group({ title, choices }: { title: string; choices: Choice[] }) {
  const id = `filter-${title.toLowerCase()}`;
  return (
    <div className={styles.group}>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>
        {choices.map(({ name, to, chosen, hint }) => (
          <li key={name}>
            <Link to={to} aria-current={chosen || undefined} aria-describedby={hint && `${id}-hint`} preventScrollReset>
              {name}
            </Link>
            {hint && <small id={`${id}-hint`}>{hint}</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}
