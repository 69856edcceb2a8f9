import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ShopClient } from '#app/backend/client.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { formatCalendarDay } from '#domain/time.ts';
import { type ErasureFacts, eraseMe } from './own-data.ts';
import styles from './your-data.module.css';

export type DeleteAccountProps = {
  client(): Promise<ShopClient>;
  /** null: not known yet. */
  facts: ErasureFacts | null;
  reload(): void;
};

/** Says what goes, what the law keeps and what is in the way; then asks to type DELETE. Afterwards the customer is logged out. */
export function DeleteAccount({ client, facts, reload }: DeleteAccountProps) {
  const navigate = useNavigate();
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');

  function close() {
    setIsAsking(false);
    setTyped('');
    setProblem('');
  }
  async function confirm() {
    setProblem('');
    const refusal = await eraseMe(await client(), typed);
    // The account is gone on the server; /logout takes it out of this browser.
    if (refusal === null) await navigate('/logout');
    else {
      setProblem(refusal);
      reload();
    }
  }

  return (
    <>
      <p>
        Your profile, addresses, reviews, gift cards and choices are deleted, and your name, phone and address are
        removed from your orders.
      </p>
      <p>{facts ? whatStays(facts) : ''}</p>
      {facts?.blocker ? (
        <p className={styles.blocker} role="note">
          <b>Not possible right now.</b> {facts.blocker}
        </p>
      ) : (
        <Button variant="danger" disabled={facts === null} onClick={() => setIsAsking(true)}>
          Delete my account…
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title="Delete your account?"
        text="This can’t be undone. You’ll be logged out on every device. Download your data first if you want to keep it."
        confirmLabel="Delete my account"
        closeLabel="Keep my account"
        tone="danger"
        isIncomplete={typed.trim() !== 'DELETE'}
        onConfirm={confirm}
        onClose={close}
      >
        <Field id={id} label="Type DELETE to confirm">
          <Input
            {...controlProps({ id })}
            value={typed}
            autoCapitalize="characters"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        {problem && <p role="alert">{problem}</p>}
      </ConfirmDialog>
    </>
  );
}

function whatStays({ orders, invoices, keptUntil }: ErasureFacts): string {
  if (orders === 0) return 'You have no orders with us, so nothing stays.';
  const amounts = `${orders === 1 ? 'Your order stays' : `Your ${orders} orders stay`} with amounts and city, without your name, because our books must be complete.`;
  if (invoices === 0 || !keptUntil) return amounts;
  return `${amounts} Tax law makes us keep invoices and credit notes for 72 months after the annual return of their year: yours until ${formatCalendarDay(keptUntil)} ${keptUntil.slice(0, 4)}. Your name stays only on those of ₹50,000 or more.`;
}
