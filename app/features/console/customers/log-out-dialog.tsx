import { useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Customer, endSessions } from '#contracts/console/customers.ts';
import { useRequests } from '../data/requests.ts';

type LogOutDialogProps = { customer: Customer; open: boolean; onClose(): void };

/** For a customer who calls because a phone was stolen, or a colleague who left. */
export function LogOutDialog({ customer, open, onClose }: LogOutDialogProps) {
  const { act } = useRequests();
  const [problem, setProblem] = useState('');
  async function logOut() {
    const outcome = await act(endSessions, { customer_id: customer.id });
    setProblem(outcome.ok ? '' : outcome.message);
    if (!outcome.ok) return;
    toast(
      'success',
      outcome.value === 0 ? `${customer.name} was not logged in.` : `${customer.name} has been logged out everywhere.`,
    );
    onClose();
  }
  return (
    <ConfirmDialog
      open={open}
      title={`Log ${customer.name} out everywhere?`}
      text="They’ll be logged out on every phone and computer right away. They can log in again at any time."
      confirmLabel="Log out everywhere"
      tone="danger"
      onConfirm={logOut}
      onClose={onClose}
    >
      {problem && <p role="alert">{problem}</p>}
    </ConfirmDialog>
  );
}
