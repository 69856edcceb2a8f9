import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { type GroupAgain as Again, groupAgainFrom } from '#domain/groups/group-again.ts';
import type { GroupDraft } from '#domain/groups/group-draft.ts';
import styles from './group-again.module.css';

export type GroupAgainProps = {
  draft: GroupDraft;
  onReplace(draft: GroupDraft): void;
};

type State =
  | { step: 'none' }
  | { step: 'failed' }
  | { step: 'asking'; again: Again }
  | { step: 'filled'; again: Again };

/** With an earlier group in the address: its list is put into the draft, and what changed since is said. */
export default function GroupAgain({ draft, onReplace }: GroupAgainProps) {
  const session = useSession();
  const [query, setQuery] = useSearchParams();
  const groupId = query.get('again');
  const [state, setState] = useState<State>({ step: 'none' });

  const leaveAddress = useCallback(
    () =>
      setQuery(
        (before) => {
          before.delete('again');
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setQuery],
  );
  function fill(again: Again) {
    onReplace(again.draft);
    setState({ step: 'filled', again });
    leaveAddress();
  }
  const read = useEffectEvent(async (id: string) => {
    const again = await session
      .client()
      .then((client) => client.rpc('my_group_again', { group_id: id }))
      .then(({ data, error }) => (error ? null : groupAgainFrom(data)))
      .catch(() => null);
    if (!again) setState({ step: 'failed' });
    else if (draft.rows.length > 0) setState({ step: 'asking', again });
    else fill(again);
  });
  useEffect(() => {
    if (groupId && session.state === 'signed-in') void read(groupId);
  }, [groupId, session.state]);

  if (groupId && session.state === 'visitor')
    return (
      <p className={styles.note} role="note">
        Log in to send an earlier list again.{' '}
        <Button size="small" onClick={() => void session.signIn()}>
          Log in
        </Button>
      </p>
    );
  if (state.step === 'none') return null;
  if (state.step === 'failed')
    return (
      <p className={styles.note} role="alert">
        We couldn’t load your earlier list. Open your order history and try again.
      </p>
    );
  const { again } = state;
  if (state.step === 'asking')
    return (
      <ConfirmDialog
        open
        title="Replace your current list?"
        text={`You have ${recipients(draft)} in your list. Sending the earlier one again replaces them with ${recipients(again.draft)}.`}
        confirmLabel="Replace list"
        closeLabel="Keep my list"
        onConfirm={() => fill(again)}
        onClose={() => {
          setState({ step: 'none' });
          leaveAddress();
        }}
      />
    );
  return (
    <section className={styles.note} aria-labelledby="group-again">
      <h2 id="group-again">Your earlier list is below</h2>
      {again.changes.length > 0 ? (
        <>
          <p>What changed since:</p>
          <ul>
            {again.changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>Nothing has changed since. Delivery days are empty: choose them again if you need a certain day.</p>
      )}
      <Button size="small" onClick={() => setState({ step: 'none' })}>
        OK
      </Button>
    </section>
  );
}

const recipients = ({ rows }: GroupDraft) => (rows.length === 1 ? '1 recipient' : `${rows.length} recipients`);
