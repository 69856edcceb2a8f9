import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { TextField } from '#app/ui/fields.tsx';
import { Form, FormProblem } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { blockCustomer, type Customer } from '#contracts/console/customers.ts';
import { z } from '#contracts/z.ts';
import { useRequests } from '../data/requests.ts';
import { checkWith, text } from '../form/inputs.ts';

type BlockDialogProps = { customer: Customer; open: boolean; onClose(): void; onDone(): void };

/** Blocks with a reason, or unblocks without one. */
export function BlockDialog({ customer, open, onClose, onDone }: BlockDialogProps) {
  const isBlocked = customer.blocked_at !== null;
  const { act } = useRequests();
  const form = useSaveForm({
    start: { reason: '' },
    check: checkWith(z.object({ reason: text({ min: isBlocked ? 0 : 1, max: 300 }) })),
    save: ({ reason }) =>
      act(blockCustomer, { customer_id: customer.id, blocked: !isBlocked, reason, seen: customer.seen }),
    onSaved() {
      toast('success', isBlocked ? `${customer.name} can order again.` : `${customer.name} has been blocked.`);
      onClose();
      onDone();
    },
  });
  return (
    <ConfirmDialog
      open={open}
      title={isBlocked ? `Unblock ${customer.name}?` : `Block ${customer.name}?`}
      text={
        isBlocked
          ? `Reason: ${customer.blocked_reason}. Once unblocked, they can order right away.`
          : 'They can browse the shop and see their orders, but not place new ones. Orders already paid will go ahead.'
      }
      confirmLabel={isBlocked ? 'Unblock' : 'Block'}
      tone={isBlocked ? 'plain' : 'danger'}
      onConfirm={() => form.submit()}
      onClose={onClose}
    >
      <Form form={form}>
        {!isBlocked && <TextField name="reason" label="Reason" hint="Only administrators see it." maxLength={300} />}
        <FormProblem />
      </Form>
    </ConfirmDialog>
  );
}
