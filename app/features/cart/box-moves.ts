import { toast } from '#app/ui/toast.tsx';
import { type BoxLine, boxKey, maxBoxes } from '#domain/boxes/box.ts';
import {
  addBox,
  type BoxListName,
  type BoxLists,
  boxIn,
  changeBox,
  mostBoxLines,
  moveBox,
  withBoxes,
  withoutBoughtBoxes,
} from '#domain/boxes/box-lists.ts';
import { currentBoxes, storeBoxes } from './box-state.ts';

type Filled = Omit<BoxLine, 'quantity'>;

function store(lists: BoxLists): boolean {
  const isStored = storeBoxes(lists);
  if (!isStored) toast('error', 'Your browser is blocking storage, so your box can’t be saved.');
  return isStored;
}

/** Puts a box into the cart; why not, where it does not fit. */
export function addBoxToCart(line: Filled): boolean {
  const result = addBox(currentBoxes(), { ...line, quantity: 1 });
  if (!result.ok) {
    const why =
      result.reason === 'full'
        ? `Limit ${maxBoxes} per item. Your cart already has ${maxBoxes} of this box.`
        : `Limit ${mostBoxLines} different boxes. Please remove one or check out first.`;
    toast('warning', why);
    return false;
  }
  return store(result.lists);
}

/** Puts the boxes of an earlier order into the cart, as many as fit. */
export function boxesAgain(lines: readonly BoxLine[]): void {
  const lists = lines.reduce<BoxLists>((before, line) => {
    const result = addBox(before, line);
    return result.ok ? result.lists : before;
  }, currentBoxes());
  if (lines.length > 0) store(lists);
}

/** The box of a line in either list. */
export function findBox(key: string): BoxLine | null {
  const { cart, checkout } = currentBoxes();
  return boxIn(checkout, key) ?? boxIn(cart, key) ?? null;
}

export function changeBoxInCart(key: string, line: Filled): void {
  const changed = changeBox(currentBoxes(), key, line);
  // It left the cart in another tab: then this is a new one.
  const lists = changed ?? { ...currentBoxes(), cart: withBoxes(currentBoxes().cart, line, 1) };
  if (store(lists)) toast('success', 'Your box is changed.');
}

export function setBoxQuantity(list: BoxListName, line: BoxLine, quantity: number): void {
  const lists = currentBoxes();
  const isStored = store({ ...lists, [list]: withBoxes(lists[list], line, quantity) });
  if (isStored && quantity === 0 && list === 'checkout') toast('info', 'Item removed from checkout.');
}

export function moveBoxFrom(list: BoxListName, line: BoxLine): void {
  const moved = moveBox(currentBoxes(), list, boxKey(line));
  if (!moved) {
    const isThere = boxIn(currentBoxes()[list], boxKey(line));
    if (isThere) toast('warning', `Limit ${maxBoxes} per item and size.`);
    else toast('error', list === 'cart' ? 'Item not found in the cart.' : 'Item not found in checkout.');
    return;
  }
  if (!store(moved.lists)) return;
  if (list === 'cart') toast('success', 'Item moved to checkout successfully!');
  else toast('info', 'Item moved back to cart.');
  if (moved.stayed > 0) toast('info', `Limit ${maxBoxes} per item and size: ${moved.stayed} stayed in the other list.`);
}

/** All boxes that can be bought now; how many lines moved. */
export function allBoxesToCheckout(mayMove: (line: BoxLine) => boolean): number {
  let lists = currentBoxes();
  let count = 0;
  for (const line of lists.cart.filter(mayMove)) {
    const moved = moveBox(lists, 'cart', boxKey(line));
    if (!moved) continue;
    lists = moved.lists;
    count += 1;
  }
  if (count > 0 && !store(lists)) return 0;
  return count;
}

export function takeBoughtBoxes(bought: readonly BoxLine[]): void {
  if (bought.length === 0) return;
  const lists = currentBoxes();
  storeBoxes({ ...lists, checkout: withoutBoughtBoxes(lists.checkout, bought) });
}
