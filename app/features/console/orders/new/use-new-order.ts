import { useEffect, useMemo, useRef, useState } from 'react';
import { type FormState, useForm } from '#app/ui/form.tsx';
import { type Delivery, offlineMethods } from '#contracts/console/order.ts';
import {
  type Caller,
  findCallers,
  type Priced,
  priceOrder,
  type Taken,
  takeOrder,
} from '#contracts/console/phone-orders.ts';
import { z } from '#contracts/z.ts';
import { stateOfPincode } from '#domain/orders/state-of-pincode.ts';
import { isPincode } from '#domain/profile.ts';
import { type Outcome, useAnswer, useRequests } from '../../data/requests.ts';
import { useLater } from '../../data/use-later.ts';
import { type Checked, checkWith, choice, optional, rupees, text } from '../../form/inputs.ts';
import { deliverySchema } from '../address-form.tsx';
import { type AskedLine, askedLines, type DraftLine } from './new-order-data.ts';

const shippingTyped = optional(rupees({ min: 0, max: 10_000 }));
const checkRest = checkWith(
  z.object({ shipping_paise: shippingTyped, paid: choice(['unpaid', ...offlineMethods]), note: text({ max: 2000 }) }),
);

const start = {
  phone: '',
  name: '',
  building_no: '',
  street: '',
  city: '',
  state: '',
  zip: '',
  fulfilment: 'delivery' as 'delivery' | 'pickup',
  shipping_paise: '',
  paid: 'unpaid' as string,
  note: '',
  /** The lines as JSON, so that they are not lost unasked either. */
  lines: '',
};
type Typed = typeof start;
type NewOrder = z.infer<typeof Taken>;
type Wanted = {
  fulfilment: 'delivery' | 'pickup';
  delivery: Delivery;
  lines: AskedLine[];
  shipping: number | null;
  paid: string;
  note: string;
};

/** What the new order would cost: as last answered, and whether that is what stands there now. */
export type Price = { priced: Priced | null; isCurrent: boolean; hasFailed: boolean };

export function useNewOrder(onTaken: (order: NewOrder) => void) {
  const { act } = useRequests();
  // Made here and once: however often it is sent, it is one order.
  const [orderId] = useState(() => crypto.randomUUID());
  const [caller, setCaller] = useState<Caller | null>(null);

  const form: FormState<Typed> = useForm<Typed, Wanted, Outcome<NewOrder>>({
    start,
    check: (values) => checkOrder(values, linesOf(values)),
    async save({ delivery, fulfilment, lines: asked, shipping, paid, note }): Promise<Outcome<NewOrder>> {
      if (!price.isCurrent || price.priced?.total_paise == null) return notPriced(price);
      const outcome = await act(takeOrder, {
        order_id: orderId,
        lines: asked,
        fulfilment,
        delivery,
        total_paise: price.priced.total_paise,
        shipping_paise: shipping,
        offline_method: paid === 'unpaid' ? null : paid,
        customer_id: caller?.user_id ?? null,
        note,
      });
      if (!outcome.ok) reload();
      return outcome;
    },
    onSaved: ({ value }) => onTaken(value),
  });
  const { values } = form;
  const lines = useMemo(() => linesOf({ lines: values.lines }), [values.lines]);

  const { price, reload } = usePrice(values, lines);
  const callers = useCallers(values.phone);

  function choose(next: Caller | null) {
    setCaller(next);
    const { name, building_no, street, city, state, zip } = next ?? start;
    form.fill({ name, building_no, street, city, state, zip });
  }

  const isBlank = [values.name, values.building_no, values.street, values.zip].every((typed) => typed.trim() === '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another number brings other people
  useEffect(() => {
    if (caller && !callers.includes(caller)) setCaller(null);
    const [likely] = callers;
    if (likely && isBlank) choose(likely);
  }, [callers]);
  const filledIn = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a state that was chosen by hand is left alone
  useEffect(() => {
    const state = stateOfPincode(values.zip);
    if (!state || ![filledIn.current, ''].includes(values.state)) return;
    filledIn.current = state;
    form.fill({ state });
  }, [values.zip]);

  return {
    form,
    lines,
    setLines(next: DraftLine[]) {
      form.fill({ lines: next.length === 0 ? '' : JSON.stringify(next) });
    },
    price,
    callers,
    caller,
    choose,
  };
}

const linesOf = ({ lines }: Pick<Typed, 'lines'>): DraftLine[] => (lines === '' ? [] : JSON.parse(lines));

function usePrice({ fulfilment, zip, shipping_paise }: Typed, lines: DraftLine[]): { price: Price; reload(): void } {
  const asked = askedLines(lines);
  const shipping = shippingTyped.safeParse(shipping_paise);
  const wanted = JSON.stringify(
    asked && {
      lines: asked,
      fulfilment,
      pincode: isPincode(zip.trim()) ? zip.trim() : '',
      shipping_paise: shipping.success ? shipping.data : null,
    },
  );
  const question = useLater(wanted, 200);
  const args = useMemo(() => JSON.parse(question), [question]);
  const { loaded, reload, isStale } = useAnswer(priceOrder, args);
  return {
    price: {
      priced: asked && loaded.state === 'ready' ? loaded.value : null,
      isCurrent: question === wanted && !isStale && loaded.state === 'ready',
      hasFailed: loaded.state === 'failed',
    },
    reload,
  };
}

const nobody: Caller[] = [];

function useCallers(phone: string): Caller[] {
  const digits = useLater(phone.replace(/\D/g, '').slice(-10), 150);
  const isWhole = digits.length === 10;
  const { loaded, isStale } = useAnswer(findCallers, isWhole ? { phone: digits } : null);
  return isWhole && !isStale && loaded.state === 'ready' ? loaded.value : nobody;
}

function checkOrder(values: Typed, lines: readonly DraftLine[]): Checked<Wanted> {
  const delivery = checkWith(deliverySchema(values.fulfilment))(values);
  const rest = checkRest(values);
  const asked = askedLines(lines);
  const errors = {
    ...(delivery.ok ? {} : delivery.errors),
    ...(rest.ok ? {} : rest.errors),
    ...(asked
      ? {}
      : { lines: lines.length === 0 ? 'Add at least one item.' : 'Enter a quantity from 1 to 25 for each item.' }),
  };
  if (!delivery.ok || !rest.ok || !asked) return { ok: false, errors };
  const { shipping_paise: shipping, paid, note } = rest.value;
  return {
    ok: true,
    value: { fulfilment: values.fulfilment, delivery: delivery.value, lines: asked, shipping, paid, note },
  };
}

function notPriced({ priced, isCurrent, hasFailed }: Price): Outcome<NewOrder> {
  const message = hasFailed
    ? 'We couldn’t calculate the total, so the order was not created. Try again.'
    : (isCurrent && priced?.problem?.message) || 'Still calculating the total. Try again in a moment.';
  return { ok: false, reason: 'refused', field: null, message };
}
