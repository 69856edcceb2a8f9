import { CheckField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type DeliverySettings, saveWorkingDays } from '#contracts/console/delivery.ts';
import { weekdays } from '#domain/delivery/weekdays.ts';
import { useRequests } from '../../data/requests.ts';

import styles from './delivery-tab.module.css';
import { checkWorkingDays, startWorkingDays } from './delivery-values.ts';

// The week as people in India plan it, beginning with Monday.
const week = [1, 2, 3, 4, 5, 6, 0];

/** Until when orders leave the same day, and on which days of the week nothing moves. */
export function WorkingDaysPanel({ settings, onChange }: { settings: DeliverySettings; onChange(): void }) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: startWorkingDays(settings),
    check: checkWorkingDays,
    save: (value) => act(saveWorkingDays, { ...value, seen: settings.updated_at }),
    onSaved() {
      toast('success', 'Saved. New orders use these working days.');
      onChange();
    },
  });
  return (
    <Panel title="Working days">
      <Form form={form}>
        <TextField
          name="cutoff_time"
          label="Cut-off time"
          type="time"
          hint="Orders placed before this time ship the same day (India time)."
        />
        <fieldset className={styles.days}>
          <legend>Weekly off days</legend>
          {week.map((number) => (
            <CheckField key={number} name={`off_${number}`} label={weekdays[number] ?? ''} />
          ))}
        </fieldset>
        <FormEnd submitLabel="Save" />
      </Form>
    </Panel>
  );
}
