import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { SelectField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { offlineMethods } from '#contracts/console/order.ts';
import type { Sweet } from '#contracts/console/phone-orders.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { StateField } from '../address-form.tsx';
import { offlineWords } from '../order-words.ts';
import { KnownCallers } from './known-callers.tsx';
import { type DraftLine, keyOf, withSweet } from './new-order-data.ts';
import { NewOrderLines } from './new-order-lines.tsx';
import styles from './new-order-page.module.css';
import { NewOrderSums } from './new-order-sums.tsx';
import { SweetPicker } from './sweet-picker.tsx';
import { useNewOrder } from './use-new-order.ts';

/** An order by phone or WhatsApp, typed during the call: everything on one screen, without the mouse. */
export function NewOrderPage() {
  const navigate = useNavigate();
  // No message here: the console announces every new order.
  const { form, lines, setLines, price, callers, caller, choose } = useNewOrder(
    ({ id }) => void navigate(href('/admin/orders/:id', { id })),
  );
  // The second part makes it new each time: the same sweet can be added twice.
  const [added, setAdded] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const isDelivery = form.watch('fulfilment') === 'delivery';
  const { setFocus } = form;
  useEffect(() => setFocus('phone'), [setFocus]);

  function pick(sweet: Sweet) {
    const next = withSweet(lines, sweet);
    setLines(next);
    const line = next.find((other) => other.sweet.product_id === sweet.product_id && other.size === 500) as DraftLine;
    setAdded(`${keyOf(line)} ${Date.now()}`);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey) void form.submit();
    // Enter in a field is a slip of the finger, not an order.
    else if (target.tagName === 'INPUT') event.preventDefault();
  }

  return (
    <ConsolePage title="New order" back={{ to: href('/admin/orders'), label: 'Orders' }}>
      <Form form={form}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what its fields do not need */}
        <div className={styles.page} onKeyDown={onKeyDown}>
          <Panel title="Customer">
            <div className={styles.fields}>
              <div className={styles.pair}>
                <TextField name="phone" label="Phone" type="tel" inputMode="tel" maxLength={20} />
                <TextField name="name" label="Name" maxLength={120} />
              </div>
              <KnownCallers callers={callers} chosen={caller} onChoose={choose} />
              <fieldset className={styles.choice}>
                <legend>Delivery or pick-up</legend>
                {(['delivery', 'pickup'] as const).map((value) => (
                  <label key={value}>
                    <input
                      type="radio"
                      name="fulfilment"
                      checked={form.watch('fulfilment') === value}
                      onChange={() => form.change({ fulfilment: value })}
                    />
                    {value === 'delivery' ? 'Delivery' : 'Pick-up at the counter'}
                  </label>
                ))}
              </fieldset>
              {isDelivery && (
                <>
                  <div className={styles.pair}>
                    <TextField name="zip" label="Pincode" inputMode="numeric" maxLength={6} />
                    <TextField name="city" label="City" maxLength={80} />
                  </div>
                  <TextField name="building_no" label="Building or apartment" maxLength={120} />
                  <TextField name="street" label="Street" maxLength={200} />
                  <StateField />
                </>
              )}
              <TextAreaField
                name="note"
                label="Note for packing"
                hint="Printed on the packing slip and label. For example, a gift message or a time to call."
                rows={2}
                maxLength={2000}
              />
            </div>
          </Panel>
          <Panel title="Items">
            <div className={styles.fields}>
              <SweetPicker input={search} error={form.formState.errors.lines?.message} onPick={pick} />
              <NewOrderLines
                lines={lines}
                priced={price.priced}
                onChange={setLines}
                added={added}
                onDone={() => search.current?.focus()}
              />
              {price.priced?.problem && (
                <p role="alert" className={styles.problem}>
                  {price.priced.problem.message}
                </p>
              )}
              <NewOrderSums price={price} isDelivery={isDelivery} />
              <SelectField
                name="paid"
                label="Payment"
                options={[
                  { value: 'unpaid', label: 'Not paid yet' },
                  ...offlineMethods.map((value) => ({
                    value,
                    label: `Paid by ${offlineWords[value] === 'UPI' ? 'UPI' : offlineWords[value].toLowerCase()}`,
                  })),
                ]}
              />
              <FormEnd submitLabel="Create order" />
              <p className={styles.hint}>
                <kbd>Ctrl</kbd> + <kbd>Enter</kbd> creates the order from anywhere on this page.
              </p>
            </div>
          </Panel>
        </div>
      </Form>
    </ConsolePage>
  );
}
