import { z } from '#contracts/z.ts';
import { paiseFromRupees } from '#domain/money.ts';
import { isMobile, isPincode } from '#domain/profile.ts';
import { formatCalendarDay } from '#domain/time.ts';

// What people type into the console's forms: always text, and each piece says in a sentence what it wants.

export const text = ({ max, min = 0 }: { max: number; min?: number }) =>
  z
    .string()
    .transform((typed) => typed.replaceAll('\0', '').trim())
    .transform((typed) => (/^[\p{Z}\p{Cf}]*$/u.test(typed) ? '' : typed)) // invisible characters alone are empty
    .pipe(
      z
        .string()
        .min(min, min === 1 ? 'Please fill in this field.' : `At least ${min} characters.`)
        .max(max, `At most ${max} characters.`),
    );

const tidyNumber = (typed: string) => typed.replace(/[₹,\s]/g, '');

/** ₹1,299.50 as paise. */
export const rupees = ({ min, max = 99_999_999 }: { min: number; max?: number }) =>
  z
    .string()
    .transform(tidyNumber)
    .refine((typed) => /^\d+(\.\d{1,2})?$/.test(typed), 'Enter an amount, such as 1,299.50.')
    .refine((typed) => Number(typed) >= min, `At least ₹${min}.`)
    .refine((typed) => Number(typed) <= max, `At most ₹${max.toLocaleString('en-IN')}.`)
    .transform((typed) => paiseFromRupees(typed) as number);

export const whole = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .transform(tidyNumber)
    .refine((typed) => /^-?\d+$/.test(typed), 'Enter a whole number.')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `Between ${min} and ${max.toLocaleString('en-IN')}.`);

export const decimal = ({ min, max, places }: { min: number; max: number; places: number }) =>
  z
    .string()
    .transform(tidyNumber)
    .refine(
      (typed) => new RegExp(`^-?\\d+(\\.\\d{1,${places}})?$`).test(typed),
      `Enter a number with at most ${places} decimals.`,
    )
    .transform(Number)
    .refine((value) => value >= min && value <= max, `Between ${min} and ${max.toLocaleString('en-IN')}.`);

/** A day as the date field gives it: YYYY-MM-DD. */
export const day = () => z.string().refine((typed) => formatCalendarDay(typed) !== '', 'Choose a date.');

export const phone = () => z.string().trim().refine(isMobile, 'Enter a 10-digit mobile number.');
export const pincode = () => z.string().trim().refine(isPincode, 'Enter a 6-digit pincode.');

export const choice = <const List extends readonly [string, ...string[]]>(list: List) =>
  z.enum(list, { error: 'Choose one.' });

/** A path of this site or a web address; as the database has it in private.is_safe_link. */
export const link = () =>
  z
    .string()
    .trim()
    .max(500, 'At most 500 characters.')
    .regex(
      /^(\/([^/\\\s][^\\\s]*)?|https?:\/\/[^\\\s]+)$/,
      'Enter a path such as /shop, or a link starting with https://.',
    );

/** Left empty is fine too, and means null. */
export const optional = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.union([
    z
      .string()
      .trim()
      .length(0)
      .transform(() => null),
    schema,
  ]);

export type Checked<T> = { ok: true; value: T } | { ok: false; errors: Record<string, string> };

/** The first thing wrong with each field. */
export const checkWith =
  <Schema extends z.ZodType>(schema: Schema) =>
  (values: Record<string, unknown>): Checked<z.infer<Schema>> => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return { ok: true, value: parsed.data };
    const errors: Record<string, string> = {};
    for (const issue of parsed.error.issues) {
      const field = String(issue.path[0] ?? '');
      errors[field] ??= sentenceOf(issue);
    }
    return { ok: false, errors };
  };

/** Of alternatives (empty, or something), what is wrong with the something. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  return issue.errors.at(-1)?.[0]?.message ?? issue.message;
}
