import { useEffect } from 'react';
import { Link } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { BoxPicture } from '#app/parts/box-picture/box-picture.tsx';
import { Button, IconButton } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { type BoxLine, type BoxPage, boxKey, contentsText, maxBoxes, piecesIn, placesFor } from '#domain/boxes/box.ts';
import { boxFacts } from '#domain/boxes/box-facts.ts';
import type { BoxListName } from '#domain/boxes/box-lists.ts';
import { boxSums } from '#domain/boxes/box-price.ts';
import { inclGst } from '#domain/catalog/price-with-tax.ts';
import { formatPaise, paise } from '#domain/money.ts';
import styles from './box-entries.module.css';
import { moveBoxFrom, setBoxQuantity } from './box-moves.ts';
import { useBoxes } from './box-state.ts';
import { RemoveIcon } from './cart-line.tsx';
import entryStyles from './entry.module.css';
import { type PricedBoxes, pricedBoxes, problemOf } from './priced-boxes.ts';
import { useBoxPage } from './use-box-page.ts';

export type BoxEntriesProps = {
  list: BoxListName;
  /** Why a box cannot be bought as things are, by its key. */
  problems: ReadonlyMap<string, string>;
  /** Told by the entries of either list, once prices are known. */
  onPriced(boxes: PricedBoxes): void;
  onRemoved(what: string): void;
};

/** The boxes of a list, after its other entries. Loaded when there are any. */
export default function BoxEntries({ list, problems, onPriced, onRemoved }: BoxEntriesProps) {
  const { config } = useSession();
  const lists = useBoxes();
  const { page, failed, retry } = useBoxPage(config);
  useEffect(() => {
    if (page) onPriced(pricedBoxes(lists, page));
  }, [lists, page, onPriced]);
  if (failed)
    return (
      <FailedState title="We couldn’t load your boxes just now." text="They are still in your cart." retry={retry} />
    );
  return (
    <ul aria-label={list === 'cart' ? 'Boxes in the cart' : 'Boxes in the checkout'}>
      {lists[list].map((line) => (
        <BoxEntry
          key={boxKey(line)}
          list={list}
          line={line}
          page={page}
          problem={page ? (problemOf(line, page) ?? problems.get(boxKey(line))) : undefined}
          onRemoved={onRemoved}
        />
      ))}
    </ul>
  );
}

type EntryProps = Pick<BoxEntriesProps, 'list' | 'onRemoved'> & {
  line: BoxLine;
  page: BoxPage | null;
  problem: string | undefined;
};

function BoxEntry({ list, line, page, problem, onRemoved }: EntryProps) {
  const find = (productId: number) => page?.sweets.find((sweet) => sweet.productId === productId);
  const size = page?.sizes.find(({ id }) => id === line.boxId);
  const name = size?.name ?? 'Your box';
  const sums = size && boxSums(size, line.contents, find);
  const places = placesFor(line.contents, Math.max(size?.places ?? 0, piecesIn(line.contents)));

  function change(quantity: number) {
    setBoxQuantity(list, line, quantity);
    if (quantity === 0) onRemoved(name);
  }

  return (
    <li className={`${entryStyles.entry} ${styles.entry}`} data-category="Gift">
      <div className={styles.picture}>
        <BoxPicture places={places} find={find} />
      </div>
      <div className={entryStyles.head}>
        <h3 className={entryStyles.name}>{name}</h3>
        {page ? (
          <>
            <p className={styles.contents}>
              <FoodMark of={boxFacts(line.contents, find).foodMark} />{' '}
              {contentsText(line.contents, (id) => find(id)?.name)}
            </p>
            {sums && (
              <p className={entryStyles.unit}>
                <span>
                  {formatPaise(sums.unitPaise)} each
                  <span className={entryStyles.inclusive}>{inclGst(sums.unitPaise, sums.gstPercent)}</span>
                </span>
              </p>
            )}
            {problem && (
              <p className={entryStyles.problem} role="status">
                {problem}
                {list === 'checkout' && ' Not included in the total.'}
              </p>
            )}
            <Link className={styles.change} to={`/box?change=${encodeURIComponent(boxKey(line))}`}>
              Change box
            </Link>
          </>
        ) : (
          <Skeleton className={entryStyles.nameToCome} />
        )}
      </div>
      <div className={entryStyles.lines}>
        <div className={entryStyles.line}>
          <span className={entryStyles.size}>{piecesIn(line.contents)} pieces</span>
          <span className={entryStyles.stepper}>
            <Stepper value={line.quantity} min={0} max={maxBoxes} label={`Quantity of ${name}`} onChange={change} />
          </span>
          <span className={entryStyles.price}>
            {sums ? formatPaise(paise(sums.unitPaise * line.quantity)) : page ? '—' : <Skeleton />}
          </span>
          <IconButton
            label={list === 'cart' ? `Remove ${name} from the cart` : `Delete ${name} from the checkout`}
            className={entryStyles.remove}
            onClick={() => change(0)}
          >
            <RemoveIcon />
          </IconButton>
        </div>
      </div>
      {list === 'cart' ? (
        <Button
          className={entryStyles.move}
          disabled={!page || problem !== undefined}
          aria-label={`Move to checkout: ${name}`}
          onClick={() => moveBoxFrom('cart', line)}
        >
          Move to checkout
        </Button>
      ) : (
        <Button
          variant="text"
          className={entryStyles.back}
          aria-label={`Move back to cart: ${name}`}
          onClick={() => moveBoxFrom('checkout', line)}
        >
          Move back to cart
        </Button>
      )}
    </li>
  );
}
