import { href, useNavigate } from 'react-router';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { TextField } from '#app/ui/fields.tsx';
import { Form, FormProblem } from '#app/ui/form.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type Customer, type Erasure, eraseCustomer, previewErasure } from '#contracts/console/customers.ts';
import { z } from '#contracts/z.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { checkWith, text } from '../form/inputs.ts';

import styles from './erase-dialog.module.css';

type EraseDialogProps = { customer: Customer; open: boolean; onClose(): void };

const start = { confirmation: '' };
const check = checkWith(z.object({ confirmation: text({ min: 1, max: 320 }) }));

/** Lists what is erased and what stays, and asks for a word to confirm. */
export function EraseDialog({ customer, open, onClose }: EraseDialogProps) {
  const { act } = useRequests();
  const navigate = useNavigate();
  const { data, isPending, isLoadingError, refetch } = useShopQuery(
    previewErasure,
    open ? { customer_id: customer.id } : null,
  );
  const form = useSaveForm({
    start,
    check,
    save: ({ confirmation }) => act(eraseCustomer, { customer_id: customer.id, confirmation }),
    onSaved() {
      toast('success', 'Customer erased.');
      void navigate(href('/admin/customers'), { replace: true });
    },
  });
  const erasure = data ?? null;
  function close() {
    form.reset(start);
    onClose();
  }
  return (
    <ConfirmDialog
      open={open}
      title={`Erase ${customer.name}?`}
      confirmLabel="Erase permanently"
      tone="danger"
      isIncomplete={erasure === null || erasure.hindrance !== null}
      onConfirm={() => form.submit()}
      onClose={close}
    >
      {isPending && <Loading rows={2} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {erasure?.hindrance && (
        <p role="alert" className={styles.hindrance}>
          Can’t be erased yet. {erasure.hindrance}
        </p>
      )}
      {erasure && erasure.hindrance === null && (
        <Form form={form} isUnguarded>
          <Consequences erasure={erasure} />
          <TextField
            name="confirmation"
            label="To confirm, type their name or email address"
            hint={`${erasure.name}${erasure.email && erasure.email !== erasure.name ? ` or ${erasure.email}` : ''}`}
          />
          <FormProblem />
        </Form>
      )}
    </ConfirmDialog>
  );
}

const counted = (count: number, one: string) => `${count.toLocaleString('en-IN')} ${count === 1 ? one : `${one}s`}`;

function Consequences({ erasure: { orders, phone_orders, reviews } }: { erasure: Erasure }) {
  return (
    <div className={styles.consequences}>
      <p>
        Their account, address, {reviews > 0 ? counted(reviews, 'review') : 'reviews'}, notes and tags will be deleted,
        also from the activity log. If they log in again, they start as a new customer.
      </p>
      {orders > 0 && (
        <p>
          {counted(orders, 'order')} {orders === 1 ? 'stays' : 'stay'} in the accounts with amounts, state and pincode,
          but without name, phone and street
          {phone_orders > 0 && `, including ${counted(phone_orders, 'phone order')} from the same number`}.
        </p>
      )}
      <p>This can’t be undone.</p>
    </div>
  );
}
