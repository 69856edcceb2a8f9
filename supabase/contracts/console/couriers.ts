// Functions of schemas/20_console/15_couriers.sql. `seen` is the courier’s updated_at.
import { defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';

export const CourierList = z.array(
  z.object({ id: z.number(), name: z.string(), tracking_pattern: z.string(), updated_at: z.string() }),
);
export type CourierRow = z.infer<typeof CourierList>[number];

export const listCouriers = defineFunction('admin_list_couriers', {}, CourierList);

export const saveCourier = defineFunction(
  'admin_save_courier',
  {
    name: z.string(),
    tracking_pattern: z.string().nullish(),
    courier_id: z.number().nullish(),
    seen: moment.nullish(),
  },
  z.object({ id: z.number(), updated_at: moment }),
);

export const deleteCourier = defineFunction(
  'admin_delete_courier',
  { courier_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);
