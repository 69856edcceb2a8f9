import { expect, test } from 'vitest';
import { galleryOf, slideAt } from './gallery.ts';

test('the first picture has the product’s name, the others say what they show', () => {
  const pictures = [
    { image: '/b.webp', alt: 'A laddu broken open' },
    { image: '/c.webp', alt: '' },
  ];
  expect(galleryOf({ name: 'Besan Laddu', image: '/a.webp', pictures })).toEqual([
    { image: '/a.webp', alt: 'Besan Laddu' },
    { image: '/b.webp', alt: 'A laddu broken open' },
    { image: '/c.webp', alt: 'Besan Laddu, picture 3' },
  ]);
});

test('a picture is shown once, though it was added twice', () => {
  expect(galleryOf({ name: 'Peda', image: '/a.webp', pictures: [{ image: '/a.webp', alt: 'Again' }] })).toHaveLength(1);
});

test('without a first picture the others stand alone, and without any there is a place for one', () => {
  expect(galleryOf({ name: 'Peda', image: '', pictures: [{ image: '/b.webp', alt: 'Box' }] })).toEqual([
    { image: '/b.webp', alt: 'Box' },
  ]);
  expect(galleryOf({ name: 'Peda', image: '', pictures: [] })).toEqual([{ image: '', alt: 'Peda' }]);
});

test('the slide that is nearest counts, however the row stops', () => {
  expect(slideAt(0, [0, 300, 600])).toBe(0);
  expect(slideAt(160, [0, 300, 600])).toBe(1);
  expect(slideAt(520, [0, 300, 600])).toBe(2);
  expect(slideAt(40, [])).toBe(0);
});
