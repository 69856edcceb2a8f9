import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useEarlyEnter } from '#app/ui/use-early-enter.ts';
import { findAnything } from '#contracts/console/find.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { useLater } from '../data/use-later.ts';
import { StatusChip } from '../order-status/status-chip.tsx';
import { type Choice, groupsFor } from './find-data.ts';
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

/** Mounted when the dialog opens, so that every search starts empty. */
function Finder({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [recent] = useState(readRecent);
  const term = typed.trim();
  const asked = useLater(term, pauseMs);
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(
    findAnything,
    useMemo(() => ({ typed: asked, recent: asked ? [] : recent }), [asked, recent]),
  );
  // The first request has no earlier results to show: it is pending instead of a placeholder.
  const isWaiting = asked !== term || isPending || isPlaceholderData;
  // Results for other words are not shown for these.
  const found = data !== undefined && !isWaiting ? data : null;
  const groups = useMemo(() => groupsFor(typed, found, recent), [typed, found, recent]);
  const choices = groups.flatMap((group) => group.choices);
  const id = useId();

  const earlyEnter = useEarlyEnter(term, isWaiting, () => go(choices[0]));

  function go(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    void navigate(choice.to);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isWaiting && active === 0) earlyEnter.press();
      else go(choices[active]);
    } else if (event.key === 'Escape') {
      // The browser would only empty the field.
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
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={styles.close} onClick={onClose}>
          Close
        </button>
      </div>
      <div id={`${id}-found`} role="listbox" aria-label="Results" className={styles.found}>
        {groups.map(({ title, choices: found }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox is no fieldset
          <div key={title} role="group" aria-label={title} className={styles.group}>
            <p aria-hidden="true">{title}</p>
            {found.map((choice) => {
              const place = choices.indexOf(choice);
              return (
                <FoundOption
                  key={choice.key}
                  id={`${id}-${place}`}
                  choice={choice}
                  isActive={place === active}
                  onActive={() => setActive(place)}
                  onGo={() => go(choice)}
                />
              );
            })}
          </div>
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

type FoundOptionProps = { id: string; choice: Choice; isActive: boolean; onActive(): void; onGo(): void };

/** Not the combobox of app/ui: that would add 43 KiB to every screen, or a delay before the first character. */
function FoundOption({ id, choice: { title, detail, status }, isActive, onActive, onGo }: FoundOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, see onKeyDown
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.choice}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onActive}
      onClick={onGo}
      ref={isActive ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
    >
      <span className={styles.words}>
        <span>{title}</span>
        {detail && <small>{detail}</small>}
      </span>
      {status && <StatusChip status={status} />}
    </div>
  );
}
