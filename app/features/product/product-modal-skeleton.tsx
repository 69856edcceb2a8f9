import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Product } from '#domain/catalog/product.ts';
import { Gallery, modalPictureSizes } from './gallery.tsx';
import styles from './product-modal.module.css';

export type ProductModalSkeletonProps = {
  name: string;
  /** What is known already when a card opened it. */
  shownOnCard: Product | undefined;
};

/** The modal's shape while its product is on the way: same places, so that nothing moves. */
export function ProductModalSkeleton({ name, shownOnCard }: ProductModalSkeletonProps) {
  const bar = (height: number, width = '100%') => <Skeleton style={{ height, width }} />;
  return (
    <div className={styles.content} aria-busy="true">
      <div className={styles.picture}>
        {shownOnCard ? (
          <Gallery product={{ ...shownOnCard, pictures: [] }} sizes={modalPictureSizes} />
        ) : (
          <Skeleton className={styles.waiting} />
        )}
      </div>
      <div className={styles.details}>
        {bar(25, '84px')}
        <h2 id="product-modal-title">{name}</h2>
        {bar(24, '160px')}
        <p className={styles.description}>{bar(72)}</p>
        <div className={styles.actions}>{bar(198)}</div>
      </div>
    </div>
  );
}
