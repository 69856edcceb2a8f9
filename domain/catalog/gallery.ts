import type { Product, ProductPicture } from './product.ts';

/** All pictures of a product with words for people who cannot see them; the first is read out with its name. */
export function galleryOf(
  product: Pick<Product, 'name' | 'image'> & { pictures: readonly ProductPicture[] },
): ProductPicture[] {
  const { name, image, pictures } = product;
  // An owner may have added the first picture again.
  const others = pictures.filter((picture) => picture.image !== image);
  const further = others.map((picture, at) => ({ ...picture, alt: picture.alt || `${name}, picture ${at + 2}` }));
  // A product may have lost its first picture and kept the others.
  return image === '' && further.length > 0 ? further : [{ image, alt: name }, ...further];
}

/** Which slide of a row shows most, from where the row is scrolled to. */
export function slideAt(scrollLeft: number, slideLefts: readonly number[]): number {
  let nearest = 0;
  slideLefts.forEach((left, at) => {
    if (Math.abs(left - scrollLeft) < Math.abs((slideLefts[nearest] ?? 0) - scrollLeft)) nearest = at;
  });
  return nearest;
}
