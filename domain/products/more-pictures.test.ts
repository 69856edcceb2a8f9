import { expect, test } from 'vitest';
import { readMorePictures, writeMorePictures } from './more-pictures.ts';

test('pictures survive the way through a file', () => {
  const pictures = [
    { image: '/images/products/besan-laddu-cut-960.webp', alt: 'A laddu broken open' },
    { image: 'https://example.in/a-960.webp', alt: '' },
  ];
  expect(readMorePictures(writeMorePictures(pictures))).toEqual(pictures);
});

test('what people type around addresses does not count', () => {
  expect(readMorePictures(' |  /a.webp   in\n its  box| ')).toEqual([{ image: '/a.webp', alt: 'in its box' }]);
  expect(readMorePictures('')).toEqual([]);
});

test('a description cannot become another picture', () => {
  expect(writeMorePictures([{ image: '/a.webp', alt: 'cut | open ' }])).toBe('/a.webp cut open');
});
