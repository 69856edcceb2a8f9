import { paymentWords, statusWords } from '#app/features/console/order-status/order-words.ts';
import { z } from '#contracts/z.ts';
import { fulfilmentTitles, sourceTitles } from '#domain/orders/order-titles.ts';
import { paymentStatuses } from '#domain/orders/payment-status.ts';
import { orderStatuses } from '#domain/orders/status.ts';
import { formatDate } from '#domain/time.ts';
import { day, optional, rupees, text, whole } from '../../form/inputs.ts';
import { cursorFromText } from '../../list/url-state.ts';

// The names in the address are short: people send such links to each other.

export const sorts = ['placed', 'number', 'total', 'age', 'pack'] as const;
export type Sort = (typeof sorts)[number];
export const todos = ['unconfirmed', 'pack-today', 'pack-later', 'to-collect', 'undelivered', 'give-back'] as const;

const firstDigits = () =>
  z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,5}$/, 'Enter up to 6 digits, not starting with 0.');
const listOf = <const Values extends readonly string[]>(values: Values) =>
  z.string().transform((joined) => {
    const wanted = new Set(joined.split(','));
    return values.filter((value) => wanted.has(value)).join(',');
  });

/** Every field as it is typed, with what it means: null where it is empty. */
const fields = {
  status: listOf(orderStatuses),
  payment: listOf(paymentStatuses),
  from: optional(day()),
  to: optional(day()),
  packfrom: optional(day()),
  packto: optional(day()),
  customer: text({ max: 100 }),
  phone: text({ max: 20 }),
  pincode: optional(firstDigits()),
  product: text({ max: 100 }),
  number: optional(whole({ min: 1, max: 999_999_999 })),
  min: optional(rupees({ min: 0 })),
  max: optional(rupees({ min: 0 })),
  waiting: optional(whole({ min: 0, max: 9999 })),
  source: z.enum(['', 'cart', 'direct', 'group', 'manual']),
  fulfilment: z.enum(['', 'delivery', 'pickup']),
};
export type FieldName = keyof typeof fields;
export const fieldNames = Object.keys(fields) as FieldName[];
export const FilterForm = z.object(fields);

/** In the address everything is text; what is wrong there is as if it were not there. */
const fromAddress = (schema: z.ZodType<unknown, string>) =>
  z
    .string()
    .refine((typed) => schema.safeParse(typed).success)
    .catch('')
    .default('');

export const ListState = z.object({
  q: z.string().max(100).catch('').default(''),
  todo: z
    .enum(['', ...todos])
    .catch('')
    .default(''),
  user: z.uuid().or(z.literal('')).catch('').default(''),
  ...(Object.fromEntries(fieldNames.map((name) => [name, fromAddress(fields[name])])) as Record<
    FieldName,
    ReturnType<typeof fromAddress>
  >),
  status: fields.status.catch('').default(''),
  payment: fields.payment.catch('').default(''),
  sort: z
    .enum([...sorts, ...sorts.map((sort) => `-${sort}` as const)])
    .catch('-placed')
    .default('-placed'),
  after: z.string().catch('').default(''),
});
export type ListState = z.infer<typeof ListState>;

const none = <T>(value: T | null | ''): T | undefined => (value === null || value === '' ? undefined : value);

/** The filter as the database reads it. */
export function filterOf(state: ListState) {
  const typed = FilterForm.parse(Object.fromEntries(fieldNames.map((name) => [name, state[name]])));
  const list = (joined: string) => (joined === '' ? undefined : joined.split(','));
  return {
    search: none(state.q),
    todo: none(state.todo),
    user_id: none(state.user),
    status: list(typed.status),
    payment: list(typed.payment),
    placed_from: none(typed.from),
    placed_to: none(typed.to),
    pack_from: none(typed.packfrom),
    pack_to: none(typed.packto),
    customer: none(typed.customer),
    phone: none(typed.phone),
    pincode: none(typed.pincode),
    product: none(typed.product),
    number: none(typed.number),
    total_min_paise: none(typed.min),
    total_max_paise: none(typed.max),
    waiting_hours: none(typed.waiting),
    source: none(typed.source),
    fulfilment: none(typed.fulfilment),
  };
}

/** What the list asks the database. */
export function questionOf(state: ListState) {
  return { filter: filterOf(state), sort: state.sort, after: cursorFromText(state.after) };
}

export type Chip = { name: FieldName | 'user'; label: string };

/** The active filters besides the search; each can be removed on its own. */
export function chipsOf(state: ListState): Chip[] {
  const words: Record<FieldName, (typed: string) => string> = {
    status: (joined) =>
      joined
        .split(',')
        .map((one) => statusWords[one as keyof typeof statusWords].title)
        .join(' or '),
    payment: (joined) =>
      joined
        .split(',')
        .map((one) => paymentWords[one as keyof typeof paymentWords].title)
        .join(' or '),
    from: (typed) => `From ${formatDate(typed)}`,
    to: (typed) => `Until ${formatDate(typed)}`,
    packfrom: (typed) => `To pack from ${formatDate(typed)}`,
    packto: (typed) => `To pack until ${formatDate(typed)}`,
    customer: (typed) => `Customer “${typed}”`,
    phone: (typed) => `Phone ${typed}`,
    pincode: (typed) => (typed.length < 6 ? `Pincode ${typed}…` : `Pincode ${typed}`),
    product: (typed) => `Product “${typed}”`,
    number: (typed) => `Order number ${typed}`,
    min: (typed) => `At least ₹${typed}`,
    max: (typed) => `At most ₹${typed}`,
    waiting: (typed) => `Waiting more than ${typed} h`,
    source: (typed) => sourceTitles[typed as keyof typeof sourceTitles],
    fulfilment: (typed) => fulfilmentTitles[typed as keyof typeof fulfilmentTitles],
  };
  const chips: Chip[] = fieldNames
    .filter((name) => state[name] !== '')
    .map((name) => ({ name, label: words[name](state[name]) }));
  return state.user === '' ? chips : [{ name: 'user', label: 'One customer' }, ...chips];
}

/** Nothing chosen, as it is typed. */
export const noFields = Object.fromEntries(fieldNames.map((name) => [name, ''])) as Record<FieldName, string>;
