import type { Closure, DeliverySettings, FestivalCutoff, Zone } from '#contracts/console/delivery.ts';
import { z } from '#contracts/z.ts';
import type { CartShipping } from '#domain/delivery/shipping-charge.ts';
import { weekdays } from '#domain/delivery/weekdays.ts';
import { readPrefixes } from '#domain/delivery/zone-prefixes.ts';
import { checkWith, choice, day, decimal, optional, rupees, text, whole } from '../../form/inputs.ts';

// What the forms hold while they are typed, and what is wrong with it. The database looks again.

const dayField = (number: number) => `off_${number}`;

export function startWorkingDays({ cutoff_time, weekly_off }: DeliverySettings): Record<string, string | boolean> {
  const days = weekdays.map((_, number) => [dayField(number), weekly_off.includes(number)]);
  return { cutoff_time, ...Object.fromEntries(days) };
}

export function checkWorkingDays(values: Record<string, string | boolean>) {
  const cutoff_time = String(values.cutoff_time).trim();
  const weekly_off = weekdays.flatMap((_, number) => (values[dayField(number)] ? [number] : []));
  const errors: Record<string, string> = {};
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(cutoff_time)) errors.cutoff_time = 'Enter a time, such as 14:00.';
  if (weekly_off.length === weekdays.length) errors[dayField(0)] = 'Keep at least one working day.';
  return Object.keys(errors).length > 0
    ? { ok: false as const, errors }
    : { ok: true as const, value: { cutoff_time, weekly_off } };
}

export const startCartShipping = ({ kind, flat_paise, zone_from_grams }: CartShipping) => ({
  kind: kind as string,
  flat_paise: String(flat_paise / 100),
  zone_from_grams: zone_from_grams === null ? '' : String(zone_from_grams / 1000),
});

const kilograms = decimal({ min: 0.001, max: 30, places: 3 }).transform((kg) => Math.round(kg * 1000));

export const checkCartShipping = checkWith(
  z.object({
    kind: choice(['flat', 'zone']),
    flat_paise: rupees({ min: 0, max: 10_000 }),
    zone_from_grams: optional(kilograms),
  }),
);

export const startClosure = (closure: Closure | null, today: string) => ({
  starts_on: closure?.starts_on ?? today,
  ends_on: closure?.ends_on ?? today,
  reason: closure?.reason ?? '',
});

export const checkClosure = checkWith(
  z
    .object({ starts_on: day(), ends_on: day(), reason: text({ min: 1, max: 80 }) })
    .superRefine(({ starts_on, ends_on }, context) => {
      if (ends_on < starts_on)
        context.addIssue({
          code: 'custom',
          path: ['ends_on'],
          message: 'The last day can’t be before the first day.',
        });
    }),
);

export const startCutoff = (cutoff: FestivalCutoff | null, today: string) => ({
  name: cutoff?.name ?? '',
  order_by: cutoff?.order_by ?? today,
  starts_on: cutoff?.starts_on ?? today,
  ends_on: cutoff?.ends_on ?? today,
  zone_id: cutoff?.zone_id ? String(cutoff.zone_id) : '',
});

export const checkCutoff = checkWith(
  z
    .object({
      name: text({ min: 1, max: 80 }),
      order_by: day(),
      starts_on: day(),
      ends_on: day(),
      zone_id: z.string().transform((typed) => (typed === '' ? null : Number(typed))),
    })
    .superRefine(({ order_by, starts_on, ends_on }, context) => {
      const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
      if (ends_on < starts_on) issue('ends_on', 'The last day can’t be before the first day.');
      else if (order_by > ends_on) issue('order_by', 'The cut-off can’t be after the last delivery day.');
    }),
);

export const startZone = (zone: Zone | null) => ({
  name: zone?.name ?? '',
  pincode_prefixes: zone?.pincode_prefixes.join(', ') ?? '',
  first_kg_charge: zone ? String(zone.first_kg_paise / 100) : '',
  extra_kg_charge: zone ? String(zone.extra_kg_paise / 100) : '',
  min_days: String(zone?.min_days ?? 1),
  max_days: String(zone?.max_days ?? 2),
  is_published: zone?.is_published ?? true,
});

export const checkZone = checkWith(
  z
    .object({
      name: text({ min: 1, max: 80 }),
      pincode_prefixes: z.string().transform((typed, context) => {
        const read = readPrefixes(typed);
        if (read.ok) return read.prefixes;
        context.addIssue({ code: 'custom', message: read.sentence });
        return z.NEVER;
      }),
      first_kg_charge: rupees({ min: 0, max: 10_000 }),
      extra_kg_charge: rupees({ min: 0, max: 10_000 }),
      // The terms promise delivery in 1 to 7 business days.
      min_days: whole({ min: 0, max: 7 }),
      max_days: whole({ min: 0, max: 7 }),
      is_published: z.boolean(),
    })
    .superRefine(({ min_days, max_days }, context) => {
      if (max_days < min_days)
        context.addIssue({ code: 'custom', path: ['max_days'], message: 'Can’t be less than the minimum.' });
    }),
);
