import { expect, test } from 'vitest';
import { pictureSources, pictureWidths } from './product-image.ts';

test("the shop's own artwork comes in three widths of WebP and AVIF", () => {
  const { src, webp, avif } = pictureSources('/images/products/besan-laddu-960.webp');
  expect(src).toBe('/images/products/besan-laddu-960.webp');
  expect(webp).toBe(
    '/images/products/besan-laddu-240.webp 240w, /images/products/besan-laddu-480.webp 480w, /images/products/besan-laddu-960.webp 960w',
  );
  expect(avif).toBe(webp?.replaceAll('.webp', '.avif'));
});

test('uploaded pictures come in three widths of WebP', () => {
  const { webp, avif } = pictureSources('/storage/v1/object/public/products/a/kaju-960.webp');
  expect(webp?.split(', ')).toHaveLength(pictureWidths.length);
  expect(webp).toContain('/storage/v1/object/public/products/a/kaju-240.webp 240w');
  expect(avif).toBeUndefined();
});

test('so do those that a hosted backend keeps', () => {
  const { webp, avif } = pictureSources('https://x.supabase.co/storage/v1/object/public/products/kaju-960.webp');
  expect(webp).toContain('https://x.supabase.co/storage/v1/object/public/products/kaju-480.webp 480w');
  expect(avif).toBeUndefined();
});

test.each([
  'https://elsewhere.example/a-960.webp',
  '/images/products/a.webp',
  '/images/products/a-480.webp',
  '/images/a-960.png',
  '/other/a-960.webp',
  '/images/-960.webpx',
])('%s is used as it is', (image) => {
  expect(pictureSources(image)).toEqual({ src: image, webp: undefined, avif: undefined });
});

test('a product without a picture shows the mark of the shop', () => {
  expect(pictureSources('')).toEqual({ src: '/images/logo-mark.svg', webp: undefined, avif: undefined });
});

test('further views of the artwork have AVIF in all widths and one WebP', () => {
  const { src, webp, avif } = pictureSources('/images/views/besan-laddu-cut-960.webp');
  expect(src).toBe('/images/views/besan-laddu-cut-960.webp');
  expect(webp).toBeUndefined();
  expect(avif).toContain('/images/views/besan-laddu-cut-480.avif 480w');
});
