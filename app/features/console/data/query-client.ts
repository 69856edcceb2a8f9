import { QueryCache, QueryClient } from '@tanstack/react-query';

/** What the console has read. One for each visit of the console: the next administrator finds nothing of the one before. */
export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey: [name] }) => console.warn(`${name} could not be read`, error),
    }),
    defaultOptions: {
      queries: {
        // What is under a form that is being filled in changes only when its screen asks for it (decision 39).
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // The screen says at once that it failed, and offers to try again.
        retry: false,
        networkMode: 'always',
        // A result that was read again is a new one, though it says the same: forms that start over wait for it.
        structuralSharing: false,
      },
    },
  });

/**
 * After a change, here or elsewhere, which may show anywhere: screens that are opened next read again. Those that are open
 * read again when they are ready for it.
 */
export function markChanged(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive' });
  void queries.invalidateQueries({ refetchType: 'none' });
}
