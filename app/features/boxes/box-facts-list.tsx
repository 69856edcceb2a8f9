import { FoodMark } from '#app/ui/food-mark.tsx';
import { type BoxSize, contentsOf } from '#domain/boxes/box.ts';
import { avoidable, boxFacts, isFreeOf } from '#domain/boxes/box-facts.ts';
import { boxesWithTaxPaise, boxSums, piecePaise } from '#domain/boxes/box-price.ts';
import { shelfLife } from '#domain/catalog/food-facts.ts';
import { foodMarkLabels } from '#domain/catalog/food-mark.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { formatPaise } from '#domain/money.ts';
import { allergenSentences } from '#domain/products/allergens.ts';
import styles from './box-facts-list.module.css';
import type { UseOpenBox } from './use-open-box.ts';

/** What is in the box and what must be known about it, while it is being filled. */
export function BoxFactsList({ box, size }: { box: UseOpenBox; size: BoxSize }) {
  const contents = contentsOf(box.places).sort((a, b) => b.pieces - a.pieces);
  const sums = boxSums(size, contents, box.find);
  const facts = boxFacts(contents, box.find);
  const allergens = allergenSentences(facts.allergens).join(' ');
  const unwanted = contents.filter(({ productId }) => {
    const sweet = box.find(productId);
    return sweet && !isFreeOf(sweet, box.avoided);
  });
  if (contents.length === 0)
    return <p className={styles.none}>What’s in your box, its allergens and how long it keeps will appear here.</p>;
  return (
    <div className={styles.facts}>
      {unwanted.length > 0 && (
        <p className={styles.unwanted} role="status">
          You chose {box.avoided.map((what) => avoidable[what].toLowerCase()).join(' and ')}, but your box has{' '}
          {unwanted.map(({ productId }) => box.find(productId)?.name).join(', ')}.
        </p>
      )}
      <ul className={styles.contents} aria-label="In your box">
        {contents.map(({ productId, pieces }) => {
          const sweet = box.find(productId);
          return (
            sweet && (
              <li key={productId}>
                <span>
                  {pieces} × {sweet.name}
                </span>
                <span>{formatPaise(piecePaise(sweet) * pieces)}</span>
              </li>
            )
          );
        })}
        <li>
          <span>Empty box ({size.name})</span>
          <span>{formatPaise(size.pricePaise)}</span>
        </li>
        {sums && sums.gstPercent > 0 && (
          <li>
            <span>GST {sums.gstPercent}%</span>
            <span>{formatPaise(boxesWithTaxPaise(sums, 1) - sums.unitPaise)}</span>
          </li>
        )}
      </ul>
      <dl>
        {facts.foodMark && (
          <div>
            <dt>Veg or non-veg</dt>
            <dd>
              <FoodMark of={facts.foodMark} /> {foodMarkLabels[facts.foodMark]}
            </dd>
          </div>
        )}
        {allergens && (
          <div>
            <dt>Allergens</dt>
            <dd>
              <strong>{allergens}</strong>
            </dd>
          </div>
        )}
        {facts.shelfLifeDays !== null && (
          <div>
            <dt>Best before</dt>
            <dd>{shelfLife(facts.shelfLifeDays)} after packing, the shortest shelf life in this box</dd>
          </div>
        )}
        {sums && (
          <div>
            <dt>Weight</dt>
            <dd>{formatGrams(sums.grams)} with the box</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
