import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { listProducts } from '#contracts/console/products.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { productsWord } from './product-data.ts';

import styles from './unbacked-offers.module.css';

/** Counts the products whose tag their prices do not back, and leads to them. `changes`: whatever was changed since. */
export function UnbackedOffers({ href, changes }: { href: string; changes: unknown }) {
  const { data, refetch } = useShopQuery(listProducts, { filter: { state: 'offer_unbacked' }, page_size: 1 });
  const readFor = useRef(changes);
  useEffect(() => {
    if (readFor.current === changes) return;
    readFor.current = changes; // one may have been mended
    void refetch();
  }, [changes, refetch]);
  if (data === undefined || data.count === 0) return null;
  const { count } = data;
  return (
    <p className={styles.notice}>
      {productsWord(count)} {count === 1 ? 'shows' : 'show'} an offer without a matching price cut.{' '}
      <Link to={href}>Show {count === 1 ? 'it' : 'them'}</Link>
    </p>
  );
}
