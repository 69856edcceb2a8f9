import { useEffect, useState } from 'react';
import { useCurrentScreen } from '../data/current-screen.ts';
import { recentFrom, rememberRecent } from './recent.ts';

/** Whether the search is open: by its buttons, or by Ctrl or Cmd and K from wherever the keyboard is. */
export function useFind() {
  const [isOpen, setOpen] = useState(false);
  const { opens, id } = useCurrentScreen();

  useEffect(() => {
    const opened = recentFrom({ opens, id });
    if (opened) rememberRecent(opened);
  }, [opens, id]);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k')
        return;
      event.preventDefault();
      // Not over another dialog: what is being typed there would be out of sight.
      setOpen((before) => !before && !document.querySelector('dialog[open]'));
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

/** The keys as the keyboard in front of the reader names them. */
export const findKeys = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K');
