import { createContext } from 'react-router';

/** What the host gives to loaders. */
export type ShopContext = {
  /** The public address, without a trailing slash. */
  siteUrl: string;
  publicConfig: PublicConfig;
  /** The Data API as an anonymous visitor sees it: the path after /rest/v1/. */
  query(path: string): Promise<unknown>;
};

/** What the browser needs to reach the backend; `url` is null where that is the pages' own origin. */
export type PublicConfig = { url: string | null; key: string; signInProvider: 'google' | 'github' };

export const shopContext = createContext<ShopContext>();
