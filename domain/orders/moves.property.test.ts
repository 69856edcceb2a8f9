import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../../tests/support/properties.ts';
import { type Fulfilment, nextStatuses, type OrderStatus, orderStatuses } from './status.ts';

const kinds = fc.constantFrom<Fulfilment>('delivery', 'pickup');
const choices = fc.array(fc.nat(), { minLength: 30, maxLength: 30 });

/** From Pending on, wherever the choices lead. */
function walk(fulfilment: Fulfilment, chosen: number[]): OrderStatus[] {
  const way: OrderStatus[] = ['Pending'];
  for (const choice of chosen) {
    const next = nextStatuses({ status: way.at(-1) as OrderStatus, fulfilment }, 'administrator');
    if (next.length === 0) break;
    way.push(next[choice % next.length] as OrderStatus);
  }
  return way;
}

test('no order goes where only the other kind of order goes', () => {
  const ofTheOther = { delivery: ['Ready', 'Collected'], pickup: ['Shipped', 'Delivered', 'Undelivered'] };
  holds(
    fc.property(kinds, choices, (fulfilment, chosen) => {
      for (const status of walk(fulfilment, chosen)) expect(ofTheOther[fulfilment]).not.toContain(status);
    }),
  );
});

test('nothing comes back but what could not be delivered, and what has ended has ended', () => {
  holds(
    fc.property(kinds, choices, (fulfilment, chosen) => {
      const way = walk(fulfilment, chosen);
      const repeated = way.filter((status, place) => way.indexOf(status) !== place);
      expect(repeated.filter((status) => status !== 'Shipped' && status !== 'Undelivered')).toEqual([]);
      for (const end of ['canceled', 'Refunded'] as const)
        if (way.includes(end)) expect(way.indexOf(end)).toBe(way.length - 1);
    }),
  );
});

test('a customer can do nothing that an administrator cannot, and nothing but cancel', () => {
  holds(
    fc.property(fc.constantFrom(...orderStatuses), kinds, (status, fulfilment) => {
      const own = nextStatuses({ status, fulfilment }, 'customer');
      expect(nextStatuses({ status, fulfilment }, 'administrator')).toEqual(expect.arrayContaining(own));
      expect(own.filter((next) => next !== 'canceled')).toEqual([]);
    }),
  );
});
