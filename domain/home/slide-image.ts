/** Every slide of ours exists in these widths; its name ends in the width: halwa-season-1600.webp. */
export const slideWidths = [640, 1120, 1600] as const;

// A hosted backend keeps uploaded pictures at its own address.
const ours = /^(?<base>(?:\/images|(?:https?:\/\/[^/]+)?\/storage\/v1\/object\/public)\/.+)-1600\.webp$/;

/** Sources for a slide's picture. Uploaded pictures exist as WebP only, the shop's own artwork also as AVIF. */
export function slideSources(image: string): { src: string; webp: string | undefined; avif: string | undefined } {
  const base = ours.exec(image)?.groups?.base;
  if (!base) return { src: image, webp: undefined, avif: undefined };
  const sources = (format: string) => slideWidths.map((width) => `${base}-${width}.${format} ${width}w`).join(', ');
  return { src: image, webp: sources('webp'), avif: base.startsWith('/images/') ? sources('avif') : undefined };
}
