import { useEffect, useEffectEvent } from 'react';
import { toast } from '#app/ui/toast.tsx';

/** Props of every tab: which form is open ('new', an id, or ''), and how to open another. */
export type TabProps = { opened: string; open(what: string): void; hrefFor(what: string): string };

/** Closes the form of a row that was deleted since the link to it was made. */
export function useGone(isGone: boolean, noun: string, open: TabProps['open']): void {
  const closeMissing = useEffectEvent(() => {
    toast('info', `This ${noun} was deleted.`);
    open('');
  });
  useEffect(() => {
    if (isGone) closeMissing();
  }, [isGone]);
}
