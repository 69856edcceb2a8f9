import type { ShopContext } from '#app/shop-context.ts';
import { call } from '#contracts/contract.ts';
import { stopGiftReminders } from '#contracts/people.ts';

const longestToken = 200;

/** Stops the reminders of the customer whom the signed link names; false: it is no link of ours. */
export function stopReminders({ read }: ShopContext, token: string): Promise<boolean> {
  return call(read, stopGiftReminders, { token: token.slice(0, longestToken) });
}
