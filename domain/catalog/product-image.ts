/** Every picture of ours exists in these widths; its name ends in the width: besan-laddu-960.webp. */
export const pictureWidths = [240, 480, 960] as const;

// A hosted backend keeps uploaded pictures at its own address.
const ours = /^(?<base>(?:\/images|(?:https?:\/\/[^/]+)?\/storage\/v1\/object\/public)\/.+)-960\.webp$/;

/**
 * Sources for a responsive picture. Uploaded pictures exist as WebP only, the shop's own artwork also as AVIF. Its further
 * views have one WebP, the largest, for the few browsers without AVIF: that keeps the repository small.
 */
export function pictureSources(image: string): { src: string; webp: string | undefined; avif: string | undefined } {
  const base = ours.exec(image)?.groups?.base;
  if (!base) return { src: image || '/images/logo-mark.svg', webp: undefined, avif: undefined };
  const sources = (format: string) => pictureWidths.map((width) => `${base}-${width}.${format} ${width}w`).join(', ');
  return {
    src: image,
    webp: base.startsWith('/images/views/') ? undefined : sources('webp'),
    avif: base.startsWith('/images/') ? sources('avif') : undefined,
  };
}
