import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { findAnything } from '#contracts/console/find.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { useLater } from '../data/use-later.ts';
import { StatusChip } from '../order-status/status-chip.tsx';
import { type Choice, type Group, groupsFor } from './find-data.ts';
import styles from './find-dialog.module.css';
import { readRecent } from './recent.ts';

const pauseMs = 150;

/** One search over the whole console: type, arrow down, Enter. */
export function FindDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} labelledBy={`${id}-title`} className={styles.dialog}>
      <h2 id={`${id}-title`} className="visually-hidden">
        Search the console
      </h2>
      <Finder onClose={onClose} />
    </Dialog>
  );
}

/** Mounted when the dialog opens: every search begins anew. */
function Finder({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [recent] = useState(readRecent);
  const term = typed.trim();
  const asked = useLater(term, pauseMs);
  const { data, isLoadingError, refetch, isPlaceholderData } = useShopQuery(
    findAnything,
    useMemo(() => ({ typed: asked, recent: asked ? [] : recent }), [asked, recent]),
  );
  const isWaiting = asked !== term || isPlaceholderData;
  // What was found for other words is not shown for these.
  const found = data !== undefined && !isWaiting ? data : null;
  const groups = useMemo(() => groupsFor(typed, found, recent), [typed, found, recent]);
  const choices = groups.flatMap((group) => group.choices);
  const id = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at the top again
  useEffect(() => setActive(0), [term]);

  // Enter came before the answer to what is typed: the first of that answer is meant.
  const entered = useRef<string | null>(null);
  useEffect(() => {
    if (isWaiting || entered.current === null) return;
    const isStillTyped = entered.current === term;
    entered.current = null;
    if (isStillTyped) go(choices[0]);
  });

  function go(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    void navigate(choice.to);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isWaiting && active === 0) entered.current = term;
      else go(choices[active]);
    } else if (event.key === 'Escape') {
      // At once: by itself a search field would only be emptied.
      event.preventDefault();
      onClose();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && choices.length > 0) {
      event.preventDefault();
      setActive((at) => (at + (event.key === 'ArrowDown' ? 1 : choices.length - 1)) % choices.length);
    }
  }

  return (
    <div className={styles.finder}>
      <div className={styles.head}>
        <input
          type="search"
          role="combobox"
          data-first-focus
          aria-label="Search orders, customers, products, vendors and screens"
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-found`}
          aria-activedescendant={choices[active] ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          enterKeyHint="go"
          placeholder="Order, name, phone, invoice, tracking, sweet…"
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={styles.close} onClick={onClose}>
          Close
        </button>
      </div>
      <div id={`${id}-found`} role="listbox" aria-label="Results" className={styles.found}>
        {groups.map((group, place) => (
          <FoundGroup
            key={group.title}
            id={id}
            group={group}
            first={groups.slice(0, place).reduce((sum, before) => sum + before.choices.length, 0)}
            active={active}
            onActive={setActive}
            onGo={go}
          />
        ))}
      </div>
      <div role="status" className={styles.state}>
        {isLoadingError && !isWaiting ? (
          <>
            <p>Search isn’t working right now.</p>
            <Button size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        ) : isWaiting && term ? (
          <p>Searching…</p>
        ) : (
          term && choices.length === 0 && <p>No matches for “{term}”.</p>
        )}
      </div>
    </div>
  );
}

type FoundGroupProps = {
  id: string;
  group: Group;
  /** The place of its first choice among all. */
  first: number;
  active: number;
  onActive(place: number): void;
  onGo(choice: Choice): void;
};

function FoundGroup({ id, group, first, active, onActive, onGo }: FoundGroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox is no fieldset
    <div role="group" aria-label={group.title} className={styles.group}>
      <p aria-hidden="true">{group.title}</p>
      {group.choices.map((choice, n) => {
        const place = first + n;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, see onKeyDown
          <div
            key={choice.key}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            className={styles.choice}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => onActive(place)}
            onClick={() => onGo(choice)}
            ref={place === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          >
            <span className={styles.words}>
              <span>{choice.title}</span>
              {choice.detail && <small>{choice.detail}</small>}
            </span>
            {choice.status && <StatusChip status={choice.status} />}
          </div>
        );
      })}
    </div>
  );
}
