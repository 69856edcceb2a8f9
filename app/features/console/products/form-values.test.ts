import { expect, test } from 'vitest';
import type { ProductDraft } from '#contracts/console/products.ts';
import { checkProduct, emptyValues, type ProductValues, valuesOf } from './form-values.ts';

const draft: ProductDraft = {
  name: 'Besan Laddu',
  description: 'Coarse.',
  category: 'Laddu',
  image: '/images/products/besan-laddu-960.webp',
  more_pictures: '/b.webp cut open',
  taste: 'Nutty.',
  travel: '',
  price_paise: 32050,
  regular_price_paise: null,
  offer_percent: 0,
  gst_percent: 12.5,
  hsn: '2106',
  has_size: true,
  weight_grams: 500,
  food_mark: 'veg',
  ingredients: 'Gram flour, ghee',
  allergens: 'Milk',
  shelf_life_days: 15,
  storage: 'Cool and dry',
  maker: '',
  combo: null,
  is_listed: true,
  is_archived: false,
  unit_cost_paise: 14400,
};
const errorsOf = (changes: Partial<ProductValues>) => {
  const checked = checkProduct({ ...valuesOf(draft), ...changes });
  return checked.ok ? {} : checked.errors;
};

test('what was read is what is saved', () => {
  const { is_archived, ...fields } = draft;
  expect(checkProduct(valuesOf(draft))).toEqual({ ok: true, value: fields });
  expect(is_archived).toBe(false);
});

test('an empty form says what it needs', () => {
  const checked = checkProduct(emptyValues);
  expect(checked.ok ? [] : Object.keys(checked.errors)).toEqual(['name', 'category', 'price_paise']);
});

test('what is sold by weight counts in units of 500 g, whatever the field says', () => {
  const checked = checkProduct({ ...valuesOf(draft), weight_grams: 'many' });
  expect(checked.ok && checked.value.weight_grams).toBe(500);
  expect(errorsOf({ has_size: 'piece', weight_grams: '' })).toHaveProperty('weight_grams');
  expect(errorsOf({ has_size: 'piece', weight_grams: '250' })).toEqual({});
});

test('a listed product needs the facts that food is sold with', () => {
  const missing = { food_mark: '', ingredients: ' ', allergens: '', shelf_life_days: '', storage: '' };
  expect(Object.keys(errorsOf(missing))).toEqual(Object.keys(missing));
  expect(errorsOf({ allergens: 'None' })).toEqual({});
  expect(errorsOf({ ...missing, is_listed: false })).toEqual({});
});

test.each<[Partial<ProductValues>, string]>([
  [{ name: '' }, 'name'],
  [{ price_paise: '0' }, 'price_paise'],
  [{ price_paise: '1,00,001' }, 'price_paise'],
  [{ regular_price_paise: '320.50' }, 'regular_price_paise'],
  [{ regular_price_paise: 'x' }, 'regular_price_paise'],
  [{ gst_percent: '' }, 'gst_percent'],
  [{ hsn: '21' }, 'hsn'],
  [{ shelf_life_days: '0' }, 'shelf_life_days'],
  [{ unit_cost_paise: '-1' }, 'unit_cost_paise'],
])('%j is refused at its field', (changes, field) => {
  expect(Object.keys(errorsOf(changes))).toEqual([field]);
});

test.each([
  ['360', '400', 10],
  ['360', '', 0],
])('saves the offer that ₹%s against “%s” makes, whatever tag was stored', (price, regular, percent) => {
  const checked = checkProduct({ ...valuesOf(draft), price_paise: price, regular_price_paise: regular });
  expect(checked.ok && checked.value.offer_percent).toBe(percent);
});
