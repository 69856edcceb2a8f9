import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyValues, type ProductValues } from './form-values.ts';
import { ProductPreview } from './product-preview.tsx';

const preview = (changes: Partial<ProductValues>) =>
  renderToStaticMarkup(
    createElement(ProductPreview, {
      values: { ...emptyValues, ...changes },
      row: null,
      renderCard: ({ category }) => `[${category}]`,
    }),
  );

test('a category and a price are there when they are chosen, and not before', () => {
  expect(preview({})).toContain('[Category]');
  expect(preview({})).not.toContain('Price per 100 g');
  expect(preview({ category: 'Laddu', price_paise: '300' })).toContain('[Laddu]');
  expect(preview({ category: 'Laddu', price_paise: '300' })).toContain(
    '<dt>Price per 100 g</dt><dd> ₹60 + 5% GST</dd>',
  );
});

test('it says what is missing before it says how it is listed', () => {
  const facts = { food_mark: 'veg', ingredients: 'Ghee', allergens: 'Milk', shelf_life_days: '10' };
  expect(preview({})).toContain('Not listed: customers can’t see it yet.');
  expect(preview({ ...facts, is_listed: true })).toContain('Can’t be listed yet. Missing: storage.');
  expect(preview({ ...facts, storage: 'Cool', is_listed: true })).toContain('Listed, but out of stock');
});
