import type { ProductPicture } from '../catalog/product.ts';

export const maxPictures = 8;
export const maxAltLength = 160;

/**
 * The pictures after the first as one text, in product files and in the console's form: "address what it shows",
 * separated by |. The same format as private.read_more_pictures() in SQL.
 */
export function readMorePictures(text: string): ProductPicture[] {
  return text
    .split('|')
    .map((entry) => entry.trim().replaceAll(/\s+/g, ' '))
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [image = '', ...words] = entry.split(' ');
      return { image, alt: words.join(' ') };
    });
}

export function writeMorePictures(pictures: readonly ProductPicture[]): string {
  return pictures.map(({ image, alt }) => `${image} ${plainAlt(alt)}`.trim()).join(' | ');
}

/** What is typed as a description, without what separates pictures. */
export const plainAlt = (alt: string): string => alt.replaceAll('|', ' ').replaceAll(/\s+/g, ' ').trim();
