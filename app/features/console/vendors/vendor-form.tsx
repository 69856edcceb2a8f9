import { TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import type { Vendor } from '#contracts/console/vendors.ts';
import { z } from '#contracts/z.ts';
import { gstinProblem, isFssaiNumber, tidyGstin } from '#domain/vendors/gstin.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import { checkWith, optional, phone, text, whole } from '../form/inputs.ts';

import styles from './vendors.module.css';

const VendorFields = z.object({
  name: text({ min: 1, max: 120 }),
  contact_name: text({ max: 120 }),
  phone: optional(phone()).transform((typed) => typed ?? ''),
  email: text({ max: 200 }).refine(
    (typed) => typed === '' || /^\S+@\S+\.\S+$/.test(typed),
    'Enter an email address, such as a@b.in.',
  ),
  gstin: z
    .string()
    .transform(tidyGstin)
    .superRefine((gstin, context) => {
      const problem = gstin === '' ? null : gstinProblem(gstin);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    }),
  fssai_number: z
    .string()
    .transform((typed) => typed.replaceAll(/\s/g, ''))
    .refine((number) => number === '' || isFssaiNumber(number), 'Enter the 14-digit FSSAI number.'),
  payment_terms_days: whole({ min: 0, max: 365 }),
  notes: text({ max: 2000 }),
});

const check = checkWith(VendorFields);

const emptyVendor = {
  name: '',
  contact_name: '',
  phone: '',
  email: '',
  gstin: '',
  fssai_number: '',
  payment_terms_days: '0',
  notes: '',
};

export type VendorFormProps = {
  /** null: a new one. */
  vendor: Vendor | null;
  onSaved(id: number): void;
};

export function VendorForm({ vendor, onSaved }: VendorFormProps) {
  const { insertRow, updateRow } = useRequests();
  const form = useSaveForm({
    start: vendor
      ? {
          name: vendor.name,
          contact_name: vendor.contact_name,
          phone: vendor.phone,
          email: vendor.email,
          gstin: vendor.gstin,
          fssai_number: vendor.fssai_number,
          payment_terms_days: String(vendor.payment_terms_days),
          notes: vendor.notes,
        }
      : emptyVendor,
    check,
    save: (values): Promise<Outcome<{ id: number }>> =>
      vendor ? updateRow('vendors', { key: vendor.id, seen: vendor.updated_at }, values) : insertRow('vendors', values),
    onSaved: ({ value }) => onSaved(value.id),
  });
  return (
    <Panel>
      <Form form={form}>
        <div className={styles.two}>
          <TextField name="name" label="Name" maxLength={120} autoFocus={!vendor} />
          <TextField name="contact_name" label="Contact" maxLength={120} />
          <TextField name="phone" label="Phone" type="tel" inputMode="tel" />
          <TextField name="email" label="Email" type="email" inputMode="email" />
          <TextField name="gstin" label="GSTIN" hint="15 characters. Leave blank for an unregistered vendor." />
          <TextField name="fssai_number" label="FSSAI number" inputMode="numeric" hint="14 digits." />
          <TextField
            name="payment_terms_days"
            label="Payment terms"
            inputMode="numeric"
            suffix="days"
            hint="Days after the bill date. 0 means due immediately."
          />
        </div>
        <TextAreaField name="notes" label="Notes" maxLength={2000} />
        <FormEnd submitLabel={vendor ? 'Save vendor' : 'Add vendor'} />
      </Form>
    </Panel>
  );
}
