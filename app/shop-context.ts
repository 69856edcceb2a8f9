import { createContext } from 'react-router';
import type { Database } from '#database-types';

type SqlFunction = keyof Database['public']['Functions'];

/** What the host gives to the loaders of one request. */
export type ShopContext = {
  /** The public address, without a trailing slash. */
  siteUrl: string;
  publicConfig: PublicConfig;
  /** Calls a SQL function as an anonymous visitor: one call returns all that a page shows. */
  read(name: SqlFunction, args: Record<string, unknown>): Promise<unknown>;
  /** Calls a SQL function that writes, without waiting for its result. */
  note(name: SqlFunction, args: Record<string, unknown>): void;
  /** When the page expires; null: not before something changes. Without a call the page is not cached. */
  holdsUntil(moment: Date | null): void;
  /** What inline scripts and styles of ours carry, see `DocumentContext`. */
  nonce: string;
  /** The text of built stylesheets, by their paths. */
  readStyles(paths: readonly string[]): string;
  /** Into the host's log, with the request it belongs to. */
  log(entry: {
    level: 'error';
    event: string;
    path: string;
    error: { name: string; message: string; stack?: string };
  }): void;
};

/** What the browser needs to reach the backend; `url` is null where that is the pages' own origin. */
export type PublicConfig = {
  url: string | null;
  key: string;
  signInProvider: 'google' | 'github';
  /** Whether customers can choose messages on WhatsApp and by SMS; left out: they cannot. */
  sendsMessages?: true;
};

export const shopContext = createContext<ShopContext>();
