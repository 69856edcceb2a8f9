import type { ShopValues } from '#contracts/console/shop.ts';
import { z } from '#contracts/z.ts';
import { gstStateCodes } from '#domain/gst-states.ts';
import { gstinProblem, isFssaiNumber, tidyGstin } from '#domain/vendors/gstin.ts';
import { type Checked, checkWith, text } from '../../form/inputs.ts';

const email = text({ max: 200 }).refine(
  (typed) => typed === '' || /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$/.test(typed),
  'Enter an email address, such as hello@shop.in.',
);

/** As people write it; kept as +91 and ten digits, as the database does (private.validate_phone). */
const phone = (first: RegExp, message: string) =>
  z
    .string()
    .transform((typed) => typed.replaceAll(/[\s().-]/g, '').replace(/^(\+?91|0)(?=\d{10}$)/, ''))
    .refine((digits) => digits === '' || (/^\d{10}$/.test(digits) && first.test(digits)), message)
    .transform((digits) => (digits === '' ? '' : `+91${digits}`));

const webLink = text({ max: 500 }).refine(
  (typed) => typed === '' || /^https?:\/\/[^\\\s]+$/.test(typed),
  'Enter a link starting with https://.',
);

const Fields = z.object({
  name: text({ min: 1, max: 60 }),
  legal_name: text({ max: 120 }),
  address: text({ max: 400 }),
  state: z.string().refine((state) => state === '' || state in gstStateCodes, 'Choose one.'),
  fssai_number: z
    .string()
    .transform((typed) => typed.replaceAll(/[\s-]/g, ''))
    .refine((number) => number === '' || isFssaiNumber(number), 'Enter the 14-digit FSSAI licence number.'),
  gstin: z.string().transform(tidyGstin),
  email,
  whatsapp_number: phone(/^[6-9]/, 'Enter a mobile number, such as +91 98765 43210.'),
  instagram_url: webLink,
  facebook_url: webLink,
  grievance_officer: text({ max: 200 }),
  grievance_email: email,
  grievance_phone: phone(/^[1-9]/, 'Enter 10 digits. For a landline, include the STD code.'),
  grievance_hours: text({ max: 120 }),
});

export const checkShop: (values: ShopValues) => Checked<ShopValues> = checkWith(
  Fields.superRefine(({ gstin, state }, context) => {
    if (gstin === '') return;
    const code = gstStateCodes[state];
    const problem =
      gstinProblem(gstin) ?? (code && !gstin.startsWith(code) ? `A GSTIN of ${state} starts with ${code}.` : null);
    if (problem) context.addIssue({ code: 'custom', path: ['gstin'], message: problem });
  }),
);
