import { createContext } from 'react-router';
import type { Database } from '#database-types';

type SqlFunction = keyof Database['public']['Functions'];

/** What the host gives to the loaders of one request. */
export type ShopContext = {
  /** The public address, without a trailing slash. */
  siteUrl: string;
  publicConfig: PublicConfig;
  /**
   * Calls a SQL function as an anonymous visitor: one call gives a page what it shows. Who asks the same at the same moment
   * shares the answer.
   */
  read(name: SqlFunction, args: Record<string, unknown>): Promise<unknown>;
  /** Has something written down, each time it is asked to; nobody waits for it. */
  note(name: SqlFunction, args: Record<string, unknown>): void;
  /**
   * What the page shows holds until this moment; null: until something changes. A page of which nobody says so is not kept.
   */
  holdsUntil(moment: Date | null): void;
  /** Into the host's log, with the request it belongs to. */
  log(entry: {
    level: 'error';
    event: string;
    path: string;
    error: { name: string; message: string; stack?: string };
  }): void;
  /**
   * Takes the finished page as text: the host looks into it, so bytes in between would only cost time. Inline scripts of
   * ours carry the mark as their nonce. What was rendered before is given apart, as bytes: the mark and a number stand in
   * its place (`-0;` behind the mark is the first).
   */
  deliver(page: { html: string; mark: string; kept: readonly Uint8Array[] }): void;
};

/** What the browser needs to reach the backend; `url` is null where that is the pages' own origin. */
export type PublicConfig = { url: string | null; key: string; signInProvider: 'google' | 'github' };

export const shopContext = createContext<ShopContext>();
