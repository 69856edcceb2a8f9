import type { ShopContext } from '#app/shop-context.ts';
import { call } from '#contracts/contract.ts';
import { stopMessages } from '#contracts/people.ts';
import type { ConsentPurpose } from '#domain/customers/consents.ts';

const longestToken = 200;

/** Stops messages to the customer whom the signed link names; null: it is no link of ours. */
export function stopMessagesOf({ read }: ShopContext, token: string): Promise<ConsentPurpose | null> {
  return call(read, stopMessages, { token: token.slice(0, longestToken) });
}
