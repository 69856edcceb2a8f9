import { expect, test } from 'vitest';
import { allergenSentences, readAllergens } from './allergens.ts';

const said = (...written: string[]) => allergenSentences(readAllergens(written)).join(' ');

test.each([
  [
    ['Nuts (almond); may contain milk, peanut', 'Milk; may contain nuts'],
    'Contains: Nuts (almond), Milk. May contain: peanut, other nuts.',
  ],
  [['Milk, Nuts (almond, cashew)', 'MILK, nuts (almond, cashew)'], 'Contains: Milk, Nuts (almond, cashew).'],
  [
    ['Milk, Nuts (almond, cashew); may contain peanut', 'Nuts (pistachio, almond)', 'Milk; may contain nuts'],
    'Contains: Milk, Nuts (almond, cashew, pistachio). May contain: peanut, other nuts.',
  ],
  [['Nuts', 'Nuts (almond)'], 'Contains: Nuts, Nuts (almond).'],
  [['May contain milk, nuts'], 'May contain: milk, nuts.'],
  [['Nuts', 'Milk; may contain nuts (cashew)'], 'Contains: Nuts, Milk.'],
  [['Nuts (almond)', 'May contain nuts (cashew)'], 'Contains: Nuts (almond). May contain: nuts (cashew).'],
  [
    ['Nuts (almond, cashew)', 'May contain nuts (almond, walnut)'],
    'Contains: Nuts (almond, cashew). May contain: nuts (walnut).',
  ],
  [['Contains milk and wheat. May contain traces of soy.'], 'Contains: milk, wheat. May contain: soy.'],
  [['Milk, may contain nuts'], 'Contains: Milk. May contain: nuts.'],
  [['Peanut', 'May contain nuts'], 'Contains: Peanut. May contain: nuts.'],
  [['May contain milk. Sesame.'], 'Contains: Sesame. May contain: milk.'],
  [['None; may contain milk'], 'May contain: milk.'],
  [['None', '', 'no known allergens.'], ''],
])('%j is %j', (written, sentences) => {
  expect(said(...written)).toBe(sentences);
});
