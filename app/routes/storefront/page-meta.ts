import type { MetaDescriptor } from 'react-router';

export type PageWords = {
  shopName: string;
  title: string;
  description: string;
  /** The address that search engines keep. */
  url: string;
  image: string;
  /** What the page is, for those who share it. */
  type: 'website' | 'product';
  more?: MetaDescriptor[];
};

/**
 * What a page says of itself to search engines and messengers. Loaders make it, so that the browser need not carry
 * how; it only puts it into the head.
 */
export function pageMeta({ shopName, title, description, url, image, type, more = [] }: PageWords): MetaDescriptor[] {
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: type },
    { property: 'og:site_name', content: shopName },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: image },
    ...more,
  ];
}
