import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '#app/ui/dialog.tsx';
import { areas } from './areas.ts';
import styles from './shortcuts.module.css';

type Shortcut = { key: string; label: string; run(): void };
type Board = { add(shortcut: Shortcut): () => void };

const ShortcutBoard = createContext<Board | null>(null);

/** A keyboard shortcut of this screen; off while typing. */
export function useShortcut(key: string, label: string, run: () => void): void {
  const board = useContext(ShortcutBoard);
  const latest = useRef(run);
  latest.current = run;
  // With what it belongs to on the screen, a key must work: the next one may be typed before anything is painted.
  useLayoutEffect(() => board?.add({ key, label, run: () => latest.current() }), [board, key, label]);
}

/** Keyboard shortcuts: g and a letter opens an area, / searches, ? lists them all. */
export function Shortcuts({ children }: { children: ReactNode }) {
  const shortcuts = useRef<readonly Shortcut[]>([]);
  const [isListOpen, setListOpen] = useState(false);
  const navigate = useNavigate();
  const isGoing = useRef(false);
  const id = useId();
  const board = useMemo<Board>(
    () => ({
      add(shortcut) {
        shortcuts.current = [...shortcuts.current, shortcut];
        return () => {
          shortcuts.current = shortcuts.current.filter((other) => other !== shortcut);
        };
      },
    }),
    [],
  );

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const wasGoing = isGoing.current;
      isGoing.current = event.key === 'g' && !wasGoing;
      const area = wasGoing ? areas.find(({ key }) => key === event.key) : undefined;
      const own = shortcuts.current.findLast(({ key }) => key === event.key);
      if (area) void navigate(area.to);
      else if (own) own.run();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus();
      else if (event.key === '?') setListOpen(true);
      else return;
      event.preventDefault();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);

  return (
    <ShortcutBoard value={board}>
      {children}
      <Dialog open={isListOpen} onClose={() => setListOpen(false)} labelledBy={`${id}-title`}>
        <div className={styles.list}>
          <h2 id={`${id}-title`}>Keyboard shortcuts</h2>
          <dl>
            {shortcuts.current.map(({ key, label }) => (
              <Entry key={key + label} keys={[key]} label={label} />
            ))}
            <Entry keys={['Ctrl', 'K']} label="Search everything" />
            <Entry keys={['/']} label="Search this list" />
            {areas.map(({ key, title }) => (
              <Entry key={key} keys={['g', key]} label={title} />
            ))}
          </dl>
        </div>
      </Dialog>
    </ShortcutBoard>
  );
}

function Entry({ keys, label }: { keys: string[]; label: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{label}</dd>
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    ? !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))
    : false;
}
