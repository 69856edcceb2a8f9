import { type ReactNode, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { Button } from '#app/ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type ShopAnswer, type ShopValues, saveShop } from '#contracts/console/shop.ts';
import { gstStateCodes } from '#domain/gst-states.ts';
import { indianStates, unionTerritories } from '#domain/indian-states.ts';
import { type Outcome, useRequests } from '../../data/requests.ts';
import styles from './shop-tab.module.css';
import { checkShop } from './shop-values.ts';

type Props = {
  answer: ShopAnswer;
  /** What customers will see, while it is typed. */
  renderPreview(values: ShopValues): ReactNode;
  onSaved(): void;
  onStartOver(): void;
};

export function ShopForm({ answer, renderPreview, onSaved, onStartOver }: Props) {
  const { act } = useRequests();
  const seen = useRef(answer.updated_at);
  const [isStale, setStale] = useState(false);
  const form = useSaveForm({
    start: answer.facts,
    check: checkShop,
    async save(changes): Promise<Outcome<ShopValues>> {
      const outcome = await act(saveShop, { changes, seen: seen.current });
      setStale(!outcome.ok && outcome.reason === 'stale');
      if (!outcome.ok) return outcome;
      seen.current = outcome.value.updated_at;
      return { ok: true, value: changes };
    },
    onSaved({ value }) {
      form.reset(value);
      toast('success', 'Saved. The shop shows it from now on.');
      onSaved();
    },
  });
  const values = form.watch();
  const checked = checkShop(values);
  return (
    <Form form={form}>
      <SellerPanel />
      <ContactPanel />
      <GrievancePanel />
      <div className={styles.end}>
        <FormEnd
          submitLabel="Save"
          cancel={isStale ? <Button onClick={onStartOver}>Load the latest version</Button> : undefined}
        />
      </div>
      <Panel title="Footer preview">
        {/* It only shows: nothing in it leads away from what was typed. */}
        <div className={styles.preview} inert>
          {renderPreview(checked.ok ? checked.value : values)}
        </div>
      </Panel>
    </Form>
  );
}

const stateOptions = [
  { value: '', label: 'Choose one' },
  ...[...indianStates, ...unionTerritories].map((name) => ({ value: name, label: name })),
];

function SellerPanel() {
  const state = useWatch<ShopValues, 'state'>({ name: 'state' });
  const code = gstStateCodes[state];
  return (
    <Panel title="Business details">
      <div className={styles.grid}>
        <TextField name="name" label="Shop name" maxLength={60} hint="Shown on every page and email." />
        <TextField
          name="legal_name"
          label="Legal name"
          maxLength={120}
          hint="As registered: company, partnership or your own name."
        />
        <div className={styles.wide}>
          <TextAreaField name="address" label="Address" rows={2} maxLength={400} />
        </div>
        <SelectField name="state" label="State" options={stateOptions} />
        <TextField
          name="gstin"
          label="GSTIN"
          hint={code ? `15 characters. In ${state} it starts with ${code}.` : '15 characters.'}
        />
        <TextField
          name="fssai_number"
          label="FSSAI licence"
          inputMode="numeric"
          hint="14 digits. Shown in the footer, on product pages and on invoices."
        />
      </div>
    </Panel>
  );
}

function ContactPanel() {
  return (
    <Panel title="Customer contact">
      <div className={styles.grid}>
        <TextField name="email" label="Email" type="email" inputMode="email" maxLength={200} />
        <TextField
          name="whatsapp_number"
          label="Phone and WhatsApp"
          type="tel"
          inputMode="tel"
          hint="Indian mobile number."
        />
        <TextField name="instagram_url" label="Instagram" type="url" inputMode="url" placeholder="https://" />
        <TextField name="facebook_url" label="Facebook" type="url" inputMode="url" placeholder="https://" />
      </div>
    </Panel>
  );
}

function GrievancePanel() {
  return (
    <Panel title="Grievance officer">
      <p className={styles.note}>
        The person who handles complaints. The terms promise an acknowledgement with a ticket number within 48 hours,
        and a resolution within one month.
      </p>
      <div className={styles.grid}>
        <TextField name="grievance_officer" label="Name" maxLength={200} hint="With title, if any." />
        <TextField
          name="grievance_hours"
          label="Hours"
          maxLength={120}
          placeholder="Monday to Saturday, 10:00 to 18:00"
        />
        <TextField name="grievance_email" label="Email for complaints" type="email" inputMode="email" maxLength={200} />
        <TextField name="grievance_phone" label="Phone for complaints" type="tel" inputMode="tel" />
      </div>
    </Panel>
  );
}
