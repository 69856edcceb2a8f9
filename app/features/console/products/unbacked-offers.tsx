import { useEffect } from 'react';
import { Link } from 'react-router';
import { listProducts } from '#contracts/console/products.ts';
import { useAnswer } from '../data/requests.ts';
import { productsWord } from './product-data.ts';

import styles from './unbacked-offers.module.css';

/** Counts the products whose tag their prices do not back, and leads to them. `changes`: whatever was changed since. */
export function UnbackedOffers({ href, changes }: { href: string; changes: unknown }) {
  const { loaded, reload } = useAnswer(listProducts, { filter: { state: 'offer_unbacked' }, page_size: 1 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change may have mended one
  useEffect(reload, [changes, reload]);
  if (loaded.state !== 'ready' || loaded.value.count === 0) return null;
  const { count } = loaded.value;
  return (
    <p className={styles.notice}>
      {productsWord(count)} {count === 1 ? 'shows' : 'show'} an offer without a matching price cut.{' '}
      <Link to={href}>Show {count === 1 ? 'it' : 'them'}</Link>
    </p>
  );
}
