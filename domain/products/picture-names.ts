import { pictureWidths } from '../catalog/product-image.ts';

/** The names of a picture's files in the bucket; the mark makes them new, so that no cache shows an old one. */
export function pictureNames(productName: string, mark: string): { width: number; path: string }[] {
  const slug =
    productName
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60) || 'sweet';
  return pictureWidths.map((width) => ({ width, path: `${slug}-${mark}-${width}.webp` }));
}

/** The files in the bucket behind a stored picture; none where it was not uploaded. */
export function filesOfPicture(image: string): string[] {
  const base = /\/storage\/v1\/object\/public\/products\/(?<base>[\w/-]+)-960\.webp$/.exec(image)?.groups?.base;
  return base ? pictureWidths.map((width) => `${base}-${width}.webp`) : [];
}
