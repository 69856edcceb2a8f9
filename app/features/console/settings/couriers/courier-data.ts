import { z } from 'zod';
import { isTrackingPattern } from '#domain/orders/tracking-link.ts';
import { checkWith, text } from '../../inputs.ts';

export const CourierList = z.array(
  z.object({ id: z.number(), name: z.string(), tracking_pattern: z.string(), updated_at: z.string() }),
);
export type CourierRow = z.infer<typeof CourierList>[number];

export const checkCourier = checkWith(
  z.object({
    name: text({ min: 1, max: 80 }),
    tracking_pattern: z
      .string()
      .trim()
      .refine((typed) => typed === '' || typed.startsWith('https://'), 'It begins with https://.')
      .refine(
        (typed) => typed === '' || !typed.startsWith('https://') || isTrackingPattern(typed),
        'Write {tracking} once, where the number goes: https://courier.example/track/{tracking}',
      ),
  }),
);
