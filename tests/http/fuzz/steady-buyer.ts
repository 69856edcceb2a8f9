// A customer from another address who buys one order after the other while generated requests run.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type Buyer, newBuyers } from '../../support/buyers.ts';
import { insertProduct } from '../../support/rows.ts';
import type { Shop } from './crowd.ts';
import { postFrom } from './post-from.ts';

export type Purchase = { outcome: string; ms: number };

export type SteadyBuyer = {
  /** Buys until `work` is done, and at least once. */
  buyDuring(work: () => Promise<void>): Promise<Purchase[]>;
  buyTimes(count: number): Promise<Purchase[]>;
};

// Each account stays below its limit of five checkouts a minute.
const accounts = 120;
const pauseMs = 400;

/** No generated request comes from this address. */
const ownAddress = '127.0.0.9';

export async function steadyBuyer(sql: Sql, shop: Shop): Promise<SteadyBuyer> {
  const productId = await insertProduct(sql, { stock: 50_000 });
  const buyers = await newBuyers(sql, shop, accounts, postFrom(ownAddress, shop.url));
  let purchases = 0;

  async function buyOnce(): Promise<Purchase> {
    const buyer = buyers[purchases % accounts] as Buyer;
    purchases += 1;
    const started = performance.now();
    const { outcome } = await buyer.buy([{ productId, quantity: 1, size: 500 }]).catch((error: Error) => ({
      outcome: error.message,
    }));
    return { outcome, ms: performance.now() - started };
  }

  return {
    async buyDuring(work) {
      const bought: Purchase[] = [];
      let isDone = false;
      const working = work().finally(() => {
        isDone = true;
      });
      do {
        bought.push(await buyOnce());
        await Promise.race([sleep(pauseMs), working.catch(() => {})]);
      } while (!isDone);
      await working;
      return bought;
    },
    async buyTimes(count) {
      const bought: Purchase[] = [];
      for (let time = 0; time < count; time += 1) bought.push(await buyOnce());
      return bought;
    },
  };
}

export function percentile(purchases: Purchase[], share: number): number {
  const sorted = purchases.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
