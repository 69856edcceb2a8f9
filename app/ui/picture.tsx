import type { ImgHTMLAttributes } from 'react';

export type PictureSources = { src: string; webp: string | undefined; avif: string | undefined };

export type PictureProps = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'srcSet' | 'className'> & {
  sources: PictureSources;
  sizes: string;
  /** Of the <picture>; the <img> is all there is inside. */
  className?: string | undefined;
};

/** A picture in the best format and width that the browser can use. Give width and height, so that nothing moves. */
export function Picture({ sources, sizes, className, alt = '', ...image }: PictureProps) {
  return (
    <picture className={className}>
      {sources.avif && <source type="image/avif" srcSet={sources.avif} sizes={sizes} />}
      <img src={sources.src} srcSet={sources.webp} sizes={sizes} alt={alt} decoding="async" {...image} />
    </picture>
  );
}
