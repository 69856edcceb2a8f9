import { describe, expect, test } from 'vitest';
import { paise } from '../money.ts';
import { type BoxSweet, boxKey, columnsOf, contentsOf, contentsText, placesFor } from './box.ts';
import { boxFacts, isFreeOf } from './box-facts.ts';
import * as lists from './box-lists.ts';
import { boxesWithTaxPaise, boxSums, piecePaise } from './box-price.ts';
import { fillRest } from './fill-box.ts';
import * as box from './open-box.ts';

const sweet = (productId: number, change: Partial<BoxSweet> = {}): BoxSweet => ({
  productId,
  name: `Sweet ${productId}`,
  category: 'Laddu',
  pricePaise: paise(32_000),
  gstPercent: 5,
  pieceGrams: 35,
  image: '',
  pieceImage: '',
  foodMark: 'veg',
  allergens: 'Milk',
  shelfLifeDays: 15,
  isAvailable: true,
  ...change,
});
const finder =
  (...sweets: BoxSweet[]) =>
  (id: number) =>
    sweets.find(({ productId }) => productId === id);
const classic = { id: 1, name: 'Classic', places: 12, pricePaise: paise(7_000), weightGrams: 150 };

test('a piece costs its share of 500 g, half a paisa upwards', () => {
  expect(piecePaise(sweet(1))).toBe(2_240);
  expect(piecePaise({ pricePaise: paise(33_333), pieceGrams: 40 })).toBe(2_667); // 2666.64
  expect(piecePaise({ pricePaise: paise(100), pieceGrams: 7 })).toBe(1); // 1.4
  expect(piecePaise({ pricePaise: paise(50), pieceGrams: 5 })).toBe(1); // 0.5
});

test('a box costs its pieces and itself, at the highest rate in it', () => {
  const find = finder(sweet(1), sweet(2, { gstPercent: 18, pricePaise: paise(50_000), pieceGrams: 20 }));
  const sums = boxSums(
    classic,
    [
      { productId: 1, pieces: 8 },
      { productId: 2, pieces: 4 },
    ],
    find,
  );
  expect(sums).toEqual({ unitPaise: 7_000 + 8 * 2_240 + 4 * 2_000, gstPercent: 18, grams: 150 + 8 * 35 + 4 * 20 });
  expect(sums && boxesWithTaxPaise(sums, 2)).toBe(65_840 + 11_851); // 18% of 65,840 is 11,851.2
  expect(boxSums(classic, [{ productId: 3, pieces: 1 }], find)).toBeNull();
});

test('a box has the allergens of all its sweets, and keeps as long as the first of them', () => {
  const find = finder(
    sweet(1, { allergens: 'Milk, Nuts (cashew)' }),
    sweet(2, { allergens: 'Nuts (almond); may contain peanut', shelfLifeDays: 7 }),
    sweet(3, { foodMark: 'non-veg', allergens: 'None', shelfLifeDays: null }),
  );
  const two = boxFacts(
    [
      { productId: 1, pieces: 1 },
      { productId: 2, pieces: 1 },
    ],
    find,
  );
  expect(two).toEqual({
    foodMark: 'veg',
    allergens: { contains: ['Milk', 'Nuts (cashew, almond)'], mayContain: ['peanut'] },
    shelfLifeDays: 7,
  });
  expect(
    boxFacts(
      [
        { productId: 3, pieces: 1 },
        { productId: 1, pieces: 1 },
      ],
      find,
    ).foodMark,
  ).toBe('non-veg');
  expect(boxFacts([], find)).toMatchObject({ foodMark: null, shelfLifeDays: null });
});

test('who leaves out nuts gets no traces and no peanuts, and may have coconut', () => {
  const free = (allergens: string) => isFreeOf({ allergens }, ['nuts']);
  expect(['Milk; may contain nuts', 'Peanut', 'Nuts (almond)', 'Cashew'].map(free)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(['Milk', 'Coconut, Milk', 'None', 'Gluten (wheat)'].map(free)).toEqual([true, true, true, true]);
  expect(isFreeOf({ allergens: 'Gluten (wheat), Milk' }, ['gluten'])).toBe(false);
});

test('a box is named by what is in it, whatever lies where', () => {
  expect(contentsOf([2, null, 1, 2])).toEqual([
    { productId: 1, pieces: 1 },
    { productId: 2, pieces: 2 },
  ]);
  expect(placesFor([{ productId: 2, pieces: 2 }], 3)).toEqual([2, 2, null]);
  expect(
    boxKey({
      boxId: 4,
      contents: [
        { productId: 9, pieces: 1 },
        { productId: 3, pieces: 5 },
      ],
    }),
  ).toBe('4:3=5,9=1');
  expect(
    contentsText(
      [
        { productId: 1, pieces: 1 },
        { productId: 2, pieces: 2 },
      ],
      (id) => `Sweet ${id}`,
    ),
  ).toBe('2 Sweet 2, 1 Sweet 1');
  expect([6, 12, 24].map(columnsOf)).toEqual([3, 4, 6]);
});

describe('a suggestion', () => {
  const sweets = [
    sweet(1),
    sweet(2),
    sweet(3, { category: 'Halwa' }),
    sweet(4, { category: 'Chocolate' }),
    sweet(5),
    sweet(6),
  ];
  const empty = (places: number) => placesFor([], places);

  test('fills every place, with variety before popularity, and is the same each time', () => {
    const filled = fillRest(empty(6), sweets, 3);
    expect(contentsOf(filled)).toEqual([1, 3, 4].map((productId) => ({ productId, pieces: 2 })));
    expect(fillRest(empty(6), sweets, 3)).toEqual(filled);
  });

  test('leaves what was chosen where it is, and lays nothing beside itself', () => {
    const begun = [5, null, null, null, 6, null, null, null, null, null, null, null];
    const filled = fillRest(begun, sweets, 4);
    expect([filled[0], filled[4]]).toEqual([5, 6]);
    expect(filled).not.toContain(null);
    filled.forEach((kind, place) => {
      if (place % 4 > 0) expect(filled[place - 1]).not.toBe(kind);
    });
  });

  test('of one sweet is a box of it, of none nothing', () => {
    expect(fillRest(empty(2), [sweet(1)], 2)).toEqual([1, 1]);
    expect(fillRest(empty(2), [], 2)).toEqual([null, null]);
  });
});

describe('an open box', () => {
  const open = box.openBox([null, null, null]);

  test('is filled from its first place on, or where one chose', () => {
    expect(box.nextPlace(open)).toBe(0);
    const chosen = box.choose(open, 2);
    expect(box.nextPlace(chosen)).toBe(2);
    const put = box.put(chosen, 2, 7);
    expect([put.places, put.chosen]).toEqual([[null, null, 7], null]);
    expect(box.choose(box.choose(open, 1), 1).chosen).toBeNull();
    expect(box.nextPlace(box.openBox([1, 2]))).toBeNull();
  });

  test('gives pieces back, swaps them, and undoes each step', () => {
    const two = box.put(box.put(open, 0, 7), 1, 8);
    const swapped = box.swap(two, 0, 2);
    expect(swapped.places).toEqual([null, 8, 7]);
    const taken = box.take(swapped, 1);
    expect(taken.places).toEqual([null, null, 7]);
    expect(box.take(taken, 1)).toBe(taken);
    expect(box.undo(box.undo(taken)).places).toEqual([7, 8, null]);
    expect(box.undo(open)).toBe(open);
  });

  test('of another size takes over what fits', () => {
    expect(box.resize(box.openBox([1, null, 2]), 5).places).toEqual([1, null, 2, null, null]);
    expect(box.resize(box.openBox([1, null, 2, 3]), 2).places).toEqual([1, 2]);
    expect(box.without([1, 2, null], (id) => id === 1)).toEqual([1, null, null]);
  });
});

describe('boxes in the cart', () => {
  const line = { boxId: 1, contents: [{ productId: 3, pieces: 6 }], quantity: 2 };
  const other = { boxId: 1, contents: [{ productId: 4, pieces: 6 }], quantity: 1 };
  const now = 1_800_000_000_000;

  test('stay for seven days, and are dropped when they are no boxes', () => {
    const text = lists.serializeBoxLists({ cart: [line], checkout: [other] }, now);
    expect(lists.parseBoxLists(text, now + 7 * 86_400_000 - 1)).toEqual({ cart: [line], checkout: [other] });
    expect(lists.parseBoxLists(text, now + 7 * 86_400_000)).toEqual(lists.noBoxes);
    expect(lists.parseBoxLists('{"savedAt":1', now)).toEqual(lists.noBoxes);
    const broken = [
      null,
      1,
      { boxId: 0 },
      { ...line, quantity: 26 },
      { ...line, contents: [{ productId: -1, pieces: 2 }] },
    ];
    expect(lists.linesFrom(broken)).toEqual([]);
  });

  test('of equal contents are one line, 25 at most', () => {
    const twice = lists.addBox({ cart: [line], checkout: [] }, { ...line, quantity: 24 });
    expect(twice).toMatchObject({ ok: true, added: 23, lists: { cart: [{ quantity: 25 }] } });
    expect(twice.ok && lists.addBox(twice.lists, line)).toEqual({ ok: false, reason: 'full' });
  });

  test('move between the lists, and leave when they are bought', () => {
    const moved = lists.moveBox({ cart: [line, other], checkout: [] }, 'cart', boxKey(line));
    expect(moved).toEqual({ lists: { cart: [other], checkout: [line] }, stayed: 0 });
    expect(lists.moveBox(lists.noBoxes, 'cart', boxKey(line))).toBeNull();
    expect(lists.withoutBoughtBoxes([line, other], [{ ...line, quantity: 1 }, other])).toEqual([
      { ...line, quantity: 1 },
    ]);
  });

  test('are changed in their place, and join an equal one', () => {
    const changed = lists.changeBox({ cart: [line], checkout: [] }, boxKey(line), other);
    expect(changed?.cart).toEqual([{ ...other, quantity: 2 }]);
    const joined = lists.changeBox({ cart: [line, other], checkout: [] }, boxKey(line), other);
    expect(joined?.cart).toEqual([{ ...other, quantity: 3 }]);
    expect(lists.changeBox(lists.noBoxes, boxKey(line), other)).toBeNull();
  });
});
