import { useNavigate } from 'react-router';
import { z } from 'zod';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { TextField, useForm } from '#app/ui/form.tsx';
import { Failed, Loading } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { checkWith, text } from '../inputs.ts';
import { useAnswer, useRequests } from '../requests.ts';
import { type Customer, Erasure } from './customer-data.ts';
import styles from './erase-dialog.module.css';

type EraseDialogProps = { customer: Customer; open: boolean; onClose(): void };

const check = checkWith(z.object({ confirmation: text({ min: 1, max: 320 }) }));

/** What it takes away, what stays, and a word that nobody types by mistake. */
export function EraseDialog({ customer, open, onClose }: EraseDialogProps) {
  const { act } = useRequests();
  const navigate = useNavigate();
  const { loaded, reload } = useAnswer('admin_preview_erasure', open ? { customer_id: customer.id } : null, Erasure);
  const form = useForm({
    start: { confirmation: '' },
    check,
    save: ({ confirmation }) => act('admin_erase_customer', { customer_id: customer.id, confirmation }),
    onSaved() {
      toast('success', 'The customer is erased.');
      void navigate('/admin/customers', { replace: true });
    },
  });
  const erasure = loaded.state === 'ready' ? loaded.value : null;
  function close() {
    form.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      open={open}
      title={`Erase ${customer.name}?`}
      confirmLabel="Erase for good"
      tone="danger"
      isIncomplete={erasure === null || erasure.hindrance !== null}
      onConfirm={() => form.submit()}
      onClose={close}
    >
      {loaded.state === 'loading' && <Loading rows={2} />}
      {loaded.state === 'failed' && <Failed retry={reload} />}
      {erasure?.hindrance && (
        <p role="alert" className={styles.hindrance}>
          Not now. {erasure.hindrance}
        </p>
      )}
      {erasure && erasure.hindrance === null && (
        <form ref={form.element} className={styles.body} onSubmit={form.submit} noValidate>
          <Consequences erasure={erasure} />
          <TextField
            form={form}
            name="confirmation"
            label="To confirm, type their name or e-mail address"
            hint={`${erasure.name}${erasure.email && erasure.email !== erasure.name ? ` or ${erasure.email}` : ''}`}
          />
          {form.problem && (
            <p role="alert" className={styles.hindrance}>
              {form.problem}
            </p>
          )}
        </form>
      )}
    </ConfirmDialog>
  );
}

const counted = (count: number, one: string) => `${count.toLocaleString('en-IN')} ${count === 1 ? one : `${one}s`}`;

function Consequences({ erasure: { orders, phone_orders, reviews } }: { erasure: Erasure }) {
  return (
    <div className={styles.consequences}>
      <p>
        Their account, address, {reviews > 0 ? counted(reviews, 'review') : 'reviews'}, notes and tags go, and what the
        change log says of them. They can sign in again as somebody new.
      </p>
      {orders > 0 && (
        <p>
          {counted(orders, 'order')} {orders === 1 ? 'stays' : 'stay'} in the books, with amounts, state and pincode and
          without name, phone and street
          {phone_orders > 0 && `; ${counted(phone_orders, 'phone order')} under the same number included`}.
        </p>
      )}
      <p>There is no way back.</p>
    </div>
  );
}
