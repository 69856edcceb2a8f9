import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSaveForm } from '#app/ui/use-save-form.ts';
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
import { type Outcome, useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
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
  lines: [] as DraftLine[],
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

  const form = useSaveForm<Typed, Wanted, Outcome<NewOrder>>({
    start,
    check: checkOrder,
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
  const values = form.watch();
  const { lines } = values;

  const { price, reload } = usePrice(values);
  const callers = useCallers(values.phone);

  const { change, getValues } = form;
  const choose = useCallback(
    (next: Caller | null) => {
      setCaller(next);
      const { name, building_no, street, city, state, zip } = next ?? start;
      change({ name, building_no, street, city, state, zip });
    },
    [change],
  );

  // Another number brings other customers; what was typed already stays.
  useEffect(() => {
    setCaller((chosen) => (chosen && callers.includes(chosen) ? chosen : null));
    const [likely] = callers;
    const isBlank = getValues(['name', 'building_no', 'street', 'zip']).every((typed) => typed.trim() === '');
    if (likely && isBlank) choose(likely);
  }, [callers, choose, getValues]);
  const filledIn = useRef('');
  // Another pincode brings its state; one that was chosen by hand stays.
  useEffect(() => {
    const state = stateOfPincode(values.zip);
    if (!state || ![filledIn.current, ''].includes(getValues('state'))) return;
    filledIn.current = state;
    change({ state });
  }, [values.zip, change, getValues]);

  return {
    form,
    lines,
    setLines(next: DraftLine[]) {
      form.change({ lines: next });
    },
    price,
    callers,
    caller,
    choose,
  };
}

function usePrice({ fulfilment, zip, shipping_paise, lines }: Typed): { price: Price; reload(): void } {
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
  const { data, isLoadingError, refetch, isFetching } = useShopQuery(priceOrder, args);
  return {
    price: {
      priced: asked ? (data ?? null) : null,
      isCurrent: question === wanted && !isFetching && data !== undefined,
      hasFailed: isLoadingError,
    },
    reload: refetch,
  };
}

const noCallers: Caller[] = [];

function useCallers(phone: string): Caller[] {
  const digits = useLater(phone.replace(/\D/g, '').slice(-10), 150);
  const isWhole = digits.length === 10;
  const { data, isPlaceholderData } = useShopQuery(findCallers, isWhole ? { phone: digits } : null);
  return isWhole && !isPlaceholderData && data ? data : noCallers;
}

function checkOrder(values: Typed): Checked<Wanted> {
  const { lines } = values;
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
