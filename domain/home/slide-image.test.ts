import { expect, test } from 'vitest';
import { slideSources } from './slide-image.ts';

test('our own slides come as AVIF and WebP in three widths', () => {
  const { src, avif, webp } = slideSources('/images/slides/halwa-season-1600.webp');
  expect(src).toBe('/images/slides/halwa-season-1600.webp');
  expect(avif).toBe(
    '/images/slides/halwa-season-640.avif 640w, /images/slides/halwa-season-1120.avif 1120w, /images/slides/halwa-season-1600.avif 1600w',
  );
  expect(webp).toContain('/images/slides/halwa-season-1120.webp 1120w');
});

test('an uploaded slide comes as WebP, any other address as it is', () => {
  expect(slideSources('/storage/v1/object/public/slides/x-1600.webp').avif).toBeUndefined();
  expect(slideSources('/storage/v1/object/public/slides/x-1600.webp').webp).toContain('x-640.webp 640w');
  const hosted = 'https://shop.supabase.co/storage/v1/object/public/banners/x';
  expect(slideSources(`${hosted}-1600.webp`).webp).toContain(`${hosted}-640.webp 640w`);
  expect(slideSources('https://example.com/a.jpg')).toEqual({
    src: 'https://example.com/a.jpg',
    webp: undefined,
    avif: undefined,
  });
});
