import { useEffect } from 'react';
import { toast } from '#app/ui/toast.tsx';

/** What every tab is told: what lies on the table (new, an id, or nothing), and how to put something there. */
export type TabProps = { opened: string; open(what: string): void; hrefFor(what: string): string };

/** A link may name what somebody deleted since. */
export function useGone(isGone: boolean, noun: string, open: TabProps['open']): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (!isGone) return;
    toast('info', `This ${noun} was deleted.`);
    open('');
  }, [isGone]);
}
