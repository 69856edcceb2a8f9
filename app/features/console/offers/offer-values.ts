import type { OfferRow } from '#contracts/console/offers.ts';
import { z } from '#contracts/z.ts';
import { rupeesInput } from '#domain/money.ts';
import { codePattern, offerKinds, tidyCode } from '#domain/offers/offer.ts';
import { calendarDay } from '#domain/time.ts';
import { checkWith, day, optional, rupees, text, whole } from '../form/inputs.ts';

export type OfferValues = {
  name: string;
  how: 'code' | 'automatic';
  code: string;
  kind: OfferRow['kind'];
  percent: string;
  amount_paise: string;
  max_discount_paise: string;
  min_order_paise: string;
  categories: string[];
  is_first_order_only: boolean;
  max_uses: string;
  max_uses_per_customer: string;
  budget_paise: string;
  from_day: string;
  until_day: string;
  combines: boolean;
};

const number = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));
const money = (value: number | null | undefined) => (value === null || value === undefined ? '' : rupeesInput(value));

export const offerValues = (offer: OfferRow | null): OfferValues => ({
  name: offer?.name ?? '',
  how: offer && offer.code === null ? 'automatic' : 'code',
  code: offer?.code ?? '',
  kind: offer?.kind ?? 'percent',
  percent: number(offer?.percent),
  amount_paise: money(offer?.amount_paise),
  max_discount_paise: money(offer?.max_discount_paise),
  min_order_paise: offer?.min_order_paise ? money(offer.min_order_paise) : '',
  categories: offer?.categories ?? [],
  is_first_order_only: offer?.is_first_order_only ?? false,
  max_uses: number(offer?.max_uses),
  max_uses_per_customer: number(offer?.max_uses_per_customer),
  budget_paise: money(offer?.budget_paise),
  from_day: offer?.from_day ?? calendarDay(new Date()),
  until_day: offer?.until_day ?? '',
  combines: offer?.combines ?? false,
});

const Fields = z.object({
  name: text({ min: 2, max: 60 }),
  how: z.enum(['code', 'automatic']),
  code: z.string().transform(tidyCode),
  kind: z.enum(offerKinds),
  percent: optional(whole({ min: 1, max: 100 })),
  amount_paise: optional(rupees({ min: 1, max: 100_000 })),
  max_discount_paise: optional(rupees({ min: 1, max: 100_000 })),
  min_order_paise: optional(rupees({ min: 0, max: 1_000_000 })),
  categories: z.array(z.string()),
  is_first_order_only: z.boolean(),
  max_uses: optional(whole({ min: 1, max: 1_000_000 })),
  max_uses_per_customer: optional(whole({ min: 1, max: 1000 })),
  budget_paise: optional(rupees({ min: 1, max: 99_999_999 })),
  from_day: day(),
  until_day: optional(day()),
  combines: z.boolean(),
});

/** What is saved: fields that belong to another kind of offer are left out, whatever was typed into them. */
const Saved = Fields.superRefine(({ how, code, kind, percent, amount_paise, from_day, until_day }, context) => {
  const wrong = (field: keyof OfferValues, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (how === 'code' && !codePattern.test(code)) wrong('code', 'A code has 3 to 20 letters and digits.');
  if (kind === 'percent' && percent === null) wrong('percent', 'Enter a percentage from 1 to 100.');
  if (kind === 'amount' && amount_paise === null) wrong('amount_paise', 'Enter an amount, such as 100.');
  if (until_day !== null && until_day < from_day) wrong('until_day', 'The last day cannot be before the first.');
}).transform(({ how, code, percent, amount_paise, max_discount_paise, min_order_paise, ...rest }) => ({
  ...rest,
  code: how === 'code' ? code : null,
  percent: rest.kind === 'percent' ? percent : null,
  amount_paise: rest.kind === 'amount' ? amount_paise : null,
  max_discount_paise: rest.kind === 'percent' ? max_discount_paise : null,
  min_order_paise: min_order_paise ?? 0,
}));

export const checkOffer = checkWith(Saved);
