import { createContext } from 'react';

/**
 * While the server renders: what an inline script of ours carries as its nonce. The host allows the scripts that carry it
 * and takes it away again, so a script that somebody smuggled into the page stands there without effect.
 */
export const ScriptMark = createContext<string | undefined>(undefined);
