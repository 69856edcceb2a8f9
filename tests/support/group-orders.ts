// A group order that is paid, made by the functions that a checkout calls, without the browser and the provider.
import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';

export type PaidGroup = { groupId: string; orders: { id: string; number: number; name: string }[] };

/** As many recipients as there are names, each with one of the product. */
export async function insertPaidGroup(
  sql: Sql,
  { userId, productId, names }: { userId: string; productId: number; names: readonly string[] },
): Promise<PaidGroup> {
  const card = { motif: 'diwali', sender_name: 'Acme Traders' };
  const recipients = names.map((name, place) => ({
    name,
    phone: '9876543210',
    building_no: `${place + 1}, Shanti Sadan`,
    street: 'MG Road',
    city: 'Mumbai',
    state: 'Maharashtra',
    zip: '400001',
    delivery_on: null,
    note: 'शुभ दीपावली! 🪔',
    email: null,
    lines: [{ product_id: productId, quantity: 1, size: 500 }],
  }));
  const mark = randomBytes(6).toString('hex');
  return sql.begin(async (tx) => {
    const [quoted] = await tx`select public.quote_group(${userId}, ${tx.json(recipients)}, ${tx.json(card)}) as answer`;
    const [opened] = await tx`
      select public.open_group(${userId}, ${tx.json(recipients)}, ${tx.json(card)}, ${quoted?.answer.key}) as answer`;
    const { group_id: groupId, amount_paise } = opened?.answer ?? {};
    await tx`select public.attach_provider_order(${groupId}, ${`order_group${mark}`})`;
    await tx`select public.settle_payment(${`order_group${mark}`}, ${`pay_group${mark}`}, ${amount_paise}, 'INR')`;
    // The provider does not know it and need not be asked.
    await tx`update private.group_orders set next_check_at = null where id = ${groupId}`;
    const orders = await tx<PaidGroup['orders']>`
      select id, number::int, delivery_name as name from public.orders where group_id = ${groupId} order by group_place`;
    return { groupId, orders: [...orders] };
  }) as Promise<PaidGroup>;
}
