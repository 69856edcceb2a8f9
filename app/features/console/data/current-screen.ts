import { useMatches } from 'react-router';
import type { FoundKind } from '#contracts/console/find.ts';

/** What a route of the console tells of its screen. */
export type ScreenHandle = {
  /** The heading until the screen knows better. */
  title: string;
  /** What is opened there, by the id in the address: it is offered again in the search. */
  opens?: FoundKind;
};

/** What the open route tells of its screen, and the id in its address. */
export function useCurrentScreen(): Partial<ScreenHandle> & { id?: string } {
  const match = useMatches().at(-1);
  return { ...(match?.handle as ScreenHandle | undefined), id: match?.params.id };
}
