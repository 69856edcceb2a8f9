import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Health } from '../operations/health.ts';
import type { Figure } from '../operations/metrics/figure.ts';

/** What pages and browsers talk to: embedded in this process, or a hosted Supabase project. */
export type Backend = {
  /** For supabase-js. `url` is null where the backend is on the pages' own origin. */
  publicConfig: {
    url: string | null;
    key: string;
    signInProvider: 'google' | 'github';
    /** Whether messages on WhatsApp and by SMS can be sent; left out: no. */
    sendsMessages?: true;
  };
  /** Calls a SQL function as an anonymous visitor, for rendering pages. */
  read(name: string, args: Record<string, unknown>): Promise<unknown>;
  /** Calls a SQL function that writes, as an anonymous visitor: at most once, because a retry would count twice. */
  note(name: string, args: Record<string, unknown>): Promise<void>;
  /** Serves a request for one of the backend's own paths; null when the path is not one. */
  serve(request: Request, socketAddress: string | undefined): Promise<Response | null>;
  /** Calls back whenever something that public pages show has changed, here or elsewhere. */
  onPagesChanged(listener: () => void): void;
  /** How long a page may be cached without notifications of changes; Infinity with them. */
  pagesLastMs: number;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  health(): Promise<Health>;
  /** What metrics tell of the business and its database, as far as it may be asked. */
  figures(): Promise<Figure[]>;
  close(): Promise<void>;
};
