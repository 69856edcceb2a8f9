import type { SyntheticEvent } from 'react';

/**
 * For forms that the server understands, too: pressed before the page is hydrated they are sent to it, afterwards the
 * browser does the work itself.
 */
export function insteadOfSubmit(work: () => void): (event: SyntheticEvent) => void {
  return (event) => {
    event.preventDefault();
    work();
  };
}
