import { CheckField, MoneyField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { saveZone, type Zone } from '#contracts/console/delivery.ts';
import { overlapMessages, overlapsOf, readPrefixes } from '#domain/delivery/zone-prefixes.ts';
import { useRequests } from '../../data/requests.ts';
import { type EditControls, EditEnd } from '../../form/edit-dialog.tsx';

import styles from './delivery-tab.module.css';
import { checkZone, startZone } from './delivery-values.ts';

type Props = { zone: Zone | null; others: readonly Zone[]; controls: EditControls };

export function ZoneForm({ zone, others, controls }: Props) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: startZone(zone),
    check: checkZone,
    save: ({ first_kg_charge, extra_kg_charge, ...value }) =>
      act(saveZone, {
        ...value,
        first_kg_paise: first_kg_charge,
        extra_kg_paise: extra_kg_charge,
        zone_id: zone?.id ?? null,
        ...(zone ? { seen: zone.updated_at } : {}),
      }),
    onSaved() {
      toast('success', 'Saved.');
      controls.close();
    },
  });
  return (
    <Form form={form}>
      <TextField name="name" label="Name" maxLength={80} placeholder="Mumbai" autoFocus={zone === null} />
      <TextAreaField
        name="pincode_prefixes"
        label="Pincode prefixes"
        rows={3}
        placeholder="400, 401"
        hint="One to six digits each, separated by commas."
      />
      <Overlaps
        typed={form.watch('pincode_prefixes')}
        others={others}
        isRefused={form.formState.errors.pincode_prefixes !== undefined}
      />
      <div className={styles.fields}>
        <MoneyField name="first_kg_charge" label="First kg" />
        <MoneyField name="extra_kg_charge" label="Each additional kg" />
      </div>
      <div className={styles.fields}>
        <TextField name="min_days" label="Minimum working days" inputMode="numeric" />
        <TextField
          name="max_days"
          label="Maximum working days"
          inputMode="numeric"
          hint="Used for the delivery date customers see. At most 7; 0 means the same day."
        />
      </div>
      <CheckField name="is_published" label="Published" hint="We deliver there." />
      <EditEnd controls={controls} isNew={zone === null} />
    </Form>
  );
}

/** Which other zones have a say in these pincodes, while they are typed; what is refused at the field is not said twice. */
function Overlaps({ typed, others, isRefused }: { typed: string; others: readonly Zone[]; isRefused: boolean }) {
  const read = readPrefixes(typed);
  if (!read.ok || isRefused) return null;
  const named = others.map(({ name, pincode_prefixes }) => ({ name, prefixes: pincode_prefixes }));
  const words = overlapMessages(overlapsOf(read.prefixes, named));
  if (words.length === 0) return null;
  return (
    <ul className={styles.overlaps} aria-label="Other zones">
      {words.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
