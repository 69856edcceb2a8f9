import { useController, useWatch } from 'react-hook-form';
import { href, Link } from 'react-router';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { CheckField, MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { deleteOffer, type OfferRow, readOffer, saveOffer } from '#contracts/console/offers.ts';
import { formatPaise } from '#domain/money.ts';
import { calculateOffers, savedPaise } from '#domain/offers/calculate.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { type Deletion, type EditControls, EditDialog, EditEnd } from '../form/edit-dialog.tsx';
import { checkOffer, type OfferValues, offerValues } from './offer-values.ts';
import styles from './offers-page.module.css';

type DialogProps = {
  subject: OfferRow | 'new' | null;
  categories: readonly string[];
  onClose(): void;
  onChange(): void;
};

export function OfferDialog({ subject, categories, onClose, onChange }: DialogProps) {
  const { act } = useRequests();
  const offer = subject === 'new' ? null : subject;
  const deletion: Deletion | null =
    offer && offer.uses + offer.reserved === 0
      ? {
          title: `Delete ${offer.name}?`,
          text: 'It was never used, so nothing else changes.',
          done: `Deleted: ${offer.name}`,
          run: () => act(deleteOffer, { offer_id: offer.id, seen: offer.updated_at }),
        }
      : null;
  return (
    <EditDialog
      open={subject !== null}
      title={offer?.name ?? 'New offer'}
      deletion={deletion}
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) =>
        subject && (
          <OfferForm
            key={offer?.updated_at ?? 'new'}
            offer={offer}
            categories={categories}
            controls={controls}
            onSaved={onChange}
          />
        )
      }
    </EditDialog>
  );
}

type FormProps = { offer: OfferRow | null; categories: readonly string[]; controls: EditControls; onSaved(): void };

function OfferForm({ offer, categories, controls, onSaved }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: offerValues(offer),
    check: (values: OfferValues) => checkOffer(values),
    save: (value) => act(saveOffer, { ...value, offer_id: offer?.id ?? null, seen: offer?.updated_at ?? null }),
    onSaved() {
      toast('success', `${form.getValues('name').trim()} is saved.`);
      onSaved();
      controls.close();
    },
  });
  const [how, kind] = useWatch({ control: form.control, name: ['how', 'kind'] });
  return (
    <>
      <Form form={form}>
        <TextField
          name="name"
          label="Name"
          maxLength={60}
          autoFocus={offer === null}
          hint="Customers read it beside the discount."
        />
        <div className={styles.pair}>
          <SelectField
            name="how"
            label="How customers get it"
            options={[
              { value: 'code', label: 'With a code' },
              { value: 'automatic', label: 'Automatically' },
            ]}
          />
          {how === 'code' && <TextField name="code" label="Code" maxLength={30} hint="Letters and digits: DIWALI10" />}
        </div>
        <div className={styles.pair}>
          <SelectField
            name="kind"
            label="What it gives"
            options={[
              { value: 'percent', label: 'A percentage off' },
              { value: 'amount', label: 'An amount off' },
              { value: 'free-delivery', label: 'Free delivery' },
            ]}
          />
          {kind === 'percent' && <TextField name="percent" label="Percent" inputMode="numeric" suffix="%" />}
          {kind === 'amount' && <MoneyField name="amount_paise" label="Amount" hint="Before tax." />}
        </div>
        <div className={styles.pair}>
          <MoneyField name="min_order_paise" label="Minimum order" hint="Goods before tax. Empty: none." />
          {kind === 'percent' && (
            <MoneyField name="max_discount_paise" label="Maximum discount" hint="For one order. Empty: no limit." />
          )}
        </div>
        <CategoriesField all={categories} />
        <div className={styles.pair}>
          <TextField name="from_day" label="First day" type="date" />
          <TextField name="until_day" label="Last day" type="date" hint="Empty: until you stop it." />
        </div>
        <div className={styles.pair}>
          <TextField name="max_uses" label="Uses in total" inputMode="numeric" hint="Empty: no limit." />
          <TextField
            name="max_uses_per_customer"
            label="Uses per customer"
            inputMode="numeric"
            hint="Empty: no limit."
          />
        </div>
        <MoneyField
          name="budget_paise"
          label="Budget"
          hint="All discounts together, with the delivery charges you don’t take. Empty: no limit."
        />
        <CheckField name="is_first_order_only" label="First order only" />
        <CheckField
          name="combines"
          label="Combines with other offers"
          hint="Both offers have to say so; otherwise an order gets the one that saves most."
        />
        <Example />
        <EditEnd controls={controls} isNew={offer === null || offer.uses + offer.reserved > 0} />
      </Form>
      {offer && offer.uses > 0 && <Uses offerId={offer.id} />}
    </>
  );
}

function CategoriesField({ all }: { all: readonly string[] }) {
  const { field, fieldState } = useController<OfferValues, 'categories'>({ name: 'categories' });
  return (
    <fieldset className={styles.categories}>
      <legend>Categories</legend>
      <p>Choose none for all of them.</p>
      <div>
        {all.map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={field.value.includes(name)}
            onChange={(event) =>
              field.onChange(
                event.target.checked ? [...field.value, name] : field.value.filter((chosen) => chosen !== name),
              )
            }
          />
        ))}
      </div>
      {fieldState.error && <p role="alert">{fieldState.error.message}</p>}
    </fieldset>
  );
}

const examplePaise = 100_000;
const exampleShipping = 4_000;

/** What the offer as typed would do to an order, as the checkout calculates it. */
function Example() {
  const values = useWatch<OfferValues>() as OfferValues;
  const checked = checkOffer({ ...values, name: 'Example', how: 'automatic' });
  if (!checked.ok) return null;
  const { kind, percent, amount_paise, max_discount_paise, min_order_paise } = checked.value;
  const goods = Math.max(examplePaise, min_order_paise);
  const { effects } = calculateOffers([{ paise: goods, category: '' }], exampleShipping, [
    {
      id: 0,
      code: null,
      name: '',
      kind,
      percent,
      amountPaise: amount_paise,
      maxDiscountPaise: max_discount_paise,
      minOrderPaise: min_order_paise,
      categories: [],
      combines: false,
    },
  ]);
  return (
    <p className={styles.example}>
      {kind === 'free-delivery'
        ? `An order of ${formatPaise(goods)} with a delivery charge of ${formatPaise(exampleShipping)} saves ${formatPaise(savedPaise(effects))}.`
        : `An order of ${formatPaise(goods)} before tax saves ${formatPaise(savedPaise(effects))}, and its tax falls with it.`}
    </p>
  );
}

/** The orders that used it, newest first. */
function Uses({ offerId }: { offerId: number }) {
  const { data } = useShopQuery(readOffer, { offer_id: offerId });
  if (!data) return null;
  return (
    <section className={styles.uses} aria-label="Orders with this offer">
      <h3>Orders with this offer</h3>
      <ul>
        {data.orders.slice(0, 20).map(({ id, number, name, status, saved_paise, total_paise }) => (
          <li key={id}>
            <Link to={href('/admin/orders/:id', { id })}>#{number}</Link>
            <span>
              {name}
              {status === 'canceled' && ' · cancelled'}
            </span>
            <span>
              {formatPaise(saved_paise)} off before tax, paid {formatPaise(total_paise)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
