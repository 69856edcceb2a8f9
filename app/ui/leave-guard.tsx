import { createContext, useContext, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { isAnyLeft, leavesTab, type Place, type Unsaved } from './unsaved.ts';

export type IsLeft = Unsaved['isLeft'];

/** By which steps what is typed would be lost; a dialog that lives in the address says more of them. */
export const LeavesBy = createContext<IsLeft>(leavesTab);

/** Told by every guard inside whether it has unsaved changes; a dialog asks before it closes. */
export const UnsavedInside = createContext<((isChanged: boolean) => void) | null>(null);

// The router asks only the blocker that was registered last, so every guard speaks for all of them.
const guards = new Set<Unsaved>();

/** The one question before unsaved changes are lost. */
export function DiscardDialog(props: { open: boolean; onKeep(): void; onDiscard(): void }) {
  return (
    <ConfirmDialog
      open={props.open}
      title="Discard your changes?"
      text="They are not saved yet."
      confirmLabel="Discard changes"
      closeLabel="Keep editing"
      tone="danger"
      onConfirm={props.onDiscard}
      onClose={props.onKeep}
    />
  );
}

/** Asks before unsaved changes are lost: by a link, Back, closing the tab, or closing the dialog around it. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const isLeft = useContext(LeavesBy);
  const tellDialog = useContext(UnsavedInside);
  const guard = useRef<Unsaved>({ isChanged, isLeft });
  // The same object all along; true from this render on, before any effect: a form that was saved may be left at once.
  Object.assign(guard.current, { isChanged, isLeft });
  useEffect(() => {
    const own = guard.current;
    guards.add(own);
    return () => {
      guards.delete(own);
    };
  }, []);
  useEffect(() => {
    tellDialog?.(isChanged);
    return () => tellDialog?.(false);
  }, [tellDialog, isChanged]);
  const blocker = useBlocker(({ currentLocation, nextLocation }: { currentLocation: Place; nextLocation: Place }) =>
    isAnyLeft(guards, currentLocation, nextLocation),
  );
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);
  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onDiscard={() => blocker.proceed?.()}
      onKeep={() => blocker.reset?.()}
    />
  );
}
