import { type RefObject, useEffect } from 'react';

/**
 * What has the focus may go: a row that was deleted, a bar that did its work, a link to the next screen. Then the title
 * of what is there now gets it, so that the keyboard goes on from there and a screen reader tells where one is.
 */
export function useFocusKeeper(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = content.current;
    if (!element) return;
    let last: Element | null = null;

    function keep() {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      if (document.querySelector('dialog:modal')) return;
      const title = element?.querySelector<HTMLElement>('main h1');
      if (!title) return; // it comes with the screen
      title.tabIndex = -1;
      title.focus({ preventScroll: true });
    }
    const remember = ({ target }: FocusEvent) => {
      last = target as Element;
    };
    // A press on the background removes the focus on purpose.
    const forget = () => {
      if (last?.isConnected) last = null;
    };
    const watcher = new MutationObserver(() => setTimeout(keep));
    watcher.observe(element, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    // A closed dialog gives the focus back to what opened it, if that is still there.
    const onClose = () => setTimeout(keep);
    document.addEventListener('close', onClose, true);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
      document.removeEventListener('close', onClose, true);
    };
  }, [content]);
}
