import { MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type DeliverySettings, saveCartShipping } from '#contracts/console/delivery.ts';
import { cartShippingExamples } from '#domain/delivery/shipping-charge.ts';
import { useRequests } from '../../data/requests.ts';

import styles from './delivery-tab.module.css';
import { checkCartShipping, startCartShipping } from './delivery-values.ts';

/** What an online cart pays for shipping, with an example that follows while it is typed. */
export function CartShippingPanel({ settings, onChange }: { settings: DeliverySettings; onChange(): void }) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: startCartShipping(settings.cart_shipping),
    check: checkCartShipping,
    save: (value) => act(saveCartShipping, { ...value, seen: settings.updated_at }),
    onSaved() {
      toast('success', 'Saved. Applies to new carts from now on.');
      onChange();
    },
  });
  const values = form.watch();
  const checked = checkCartShipping(values);
  // The zone that is farthest away shows the difference best.
  const zone = settings.zones.filter(({ is_published }) => is_published).at(-1);
  const isFlat = values.kind === 'flat';
  return (
    <Panel title="Delivery charge for carts">
      <Form form={form}>
        <SelectField
          name="kind"
          label="Carts are charged"
          hint="“Buy now” and phone orders are always charged by zone and weight."
          options={[
            { value: 'flat', label: 'A flat amount' },
            { value: 'zone', label: 'Zone rate, by weight' },
          ]}
        />
        {isFlat && (
          <div className={styles.fields}>
            <MoneyField name="flat_paise" label="Flat amount" />
            <TextField
              name="zone_from_grams"
              label="By zone from"
              suffix="kg"
              inputMode="decimal"
              placeholder="never"
              hint="From this weight, the zone rate applies. Leave blank for never."
            />
          </div>
        )}
        <div className={styles.example} role="status" aria-label="Example">
          {checked.ok && cartShippingExamples(zone, checked.value).map((line) => <p key={line}>{line}</p>)}
        </div>
        <FormEnd submitLabel="Save delivery charge" />
      </Form>
    </Panel>
  );
}
