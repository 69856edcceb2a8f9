import { createContext } from 'react';

/**
 * While the server renders: the nonce of inline scripts and styles of ours. The host allows what carries it by its hash and
 * takes the nonce away, so a script that was smuggled into the page is not allowed, and every copy of a page is the same.
 */
export const NonceContext = createContext<string | undefined>(undefined);
