import { z } from '#contracts/z.ts';
import { isTrackingPattern } from '#domain/orders/tracking-link.ts';
import { checkWith, text } from '../../form/inputs.ts';

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
