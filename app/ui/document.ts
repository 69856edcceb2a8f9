import { createContext } from 'react';

/** What only the server knows while it renders a document; in the browser none of it is set. */
export type DocumentContents = {
  /**
   * What inline scripts and styles of ours carry. The host allows what carries it by its hash and takes the nonce away, so a
   * script that was smuggled into the page is not allowed, and every copy of a page is the same.
   */
  nonce?: string;
  /** The stylesheets of the page, which are part of it: the first paint waits for no other file. */
  styles?: string;
  /** The page's scripts, which are fetched after what is seen. */
  modules?: readonly string[];
};

export const DocumentContext = createContext<DocumentContents>({});
