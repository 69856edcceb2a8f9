import { expect, test } from 'vitest';
import { type Clock, createFairQueue, type FairLimits } from './fair-queue.ts';

const roomy: FairLimits = {
  total: 4,
  perAddress: 2,
  waitingPerAddress: 10,
  perSecond: 1_000_000,
  burst: 1_000_000,
  whenBusy: { perAddress: 1, perSecond: 10, burst: 1 },
};

function handClock(): Clock & { advance(milliseconds: number): void } {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(milliseconds) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
    },
  };
}

function queueWith(limits: Partial<FairLimits> = {}) {
  const clock = handClock();
  const load = { isBusy: false };
  const queue = createFairQueue({ ...roomy, ...limits }, clock, () => load.isBusy);
  const started: string[] = [];
  const enter = (address: string, name = address) => queue.enter(address, () => started.push(name));
  return { clock, queue, load, started, enter };
}
const leave = (ticket: ReturnType<ReturnType<typeof queueWith>['enter']>) => {
  if (!ticket.ok) throw new Error('it was refused');
  ticket.leave();
};

test('an address has two at work however many it sends, and another is served at once', () => {
  const { started, enter, queue } = queueWith();
  for (let n = 0; n < 8; n += 1) enter('attacker');
  enter('customer');
  expect(started).toEqual(['attacker', 'attacker', 'customer']);
  expect(queue.counts()).toEqual({ atWork: 3, waiting: 6, addresses: 2 });
});

test('addresses that wait are served in turn, one of each', () => {
  const { started, enter } = queueWith({ total: 1, perAddress: 1 });
  const first = enter('a', 'a1');
  const rest = [enter('a', 'a2'), enter('a', 'a3'), enter('b', 'b1'), enter('b', 'b2'), enter('c', 'c1')];
  leave(first);
  for (const expected of ['a2', 'b1', 'c1', 'a3', 'b2']) {
    expect(started.at(-1)).toBe(expected);
    const index = ['a2', 'a3', 'b1', 'b2', 'c1'].indexOf(expected);
    leave(rest[index] as ReturnType<typeof enter>);
  }
});

test('beyond the waiting room an address is refused and told when to come back, others are not', () => {
  const { enter } = queueWith({ perAddress: 1, waitingPerAddress: 2, perSecond: 1, burst: 10 });
  for (let n = 0; n < 3; n += 1) expect(enter('a').ok).toBe(true);
  expect(enter('a')).toEqual({ ok: false, retryAfterSeconds: 2 });
  expect(enter('b').ok).toBe(true);
});

test('who leaves the queue is never started, and leaving twice gives back one place', () => {
  const { started, enter, queue } = queueWith({ total: 1, perAddress: 1 });
  const first = enter('a', 'first');
  const gone = enter('b', 'gone');
  enter('c', 'last');
  leave(gone);
  leave(gone);
  leave(first);
  leave(first);
  expect(started).toEqual(['first', 'last']);
  expect(queue.counts()).toMatchObject({ atWork: 1, waiting: 0 });
});

test('what comes faster than the rate of an address waits for it', () => {
  const { clock, started, enter } = queueWith({ perAddress: 4, burst: 2, perSecond: 10 });
  for (let n = 0; n < 4; n += 1) leave(enter('a', `a${n}`));
  expect(started).toEqual(['a0', 'a1']); // the others left before their time came
  enter('a', 'later');
  enter('b', 'other');
  expect(started).toEqual(['a0', 'a1', 'other']);
  clock.advance(99);
  expect(started).not.toContain('later');
  clock.advance(1);
  expect(started.at(-1)).toBe('later');
});

test('when the process is busy each address has one at work and a few a second, and a newcomer starts at once', () => {
  const { clock, load, started, enter } = queueWith();
  load.isBusy = true;
  const first = enter('a', 'a1');
  leave(enter('a', 'gone'));
  enter('a', 'a2');
  leave(first);
  enter('b', 'b1');
  expect(started).toEqual(['a1', 'b1']);
  clock.advance(100);
  expect(started).toEqual(['a1', 'b1', 'a2']);
});

test('when the process is busy an address that was quiet may still start a burst, one after the other', () => {
  const { clock, load, started, enter } = queueWith({ whenBusy: { perAddress: 1, perSecond: 10, burst: 3 } });
  load.isBusy = true;
  const tickets = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => enter('a', name));
  expect(started).toEqual(['a1']);
  for (const ticket of tickets.slice(0, 3)) leave(ticket);
  expect(started).toEqual(['a1', 'a2', 'a3']);
  clock.advance(100);
  expect(started.at(-1)).toBe('a4');
});

test('addresses that have not been seen for long are forgotten', () => {
  const { clock, enter, queue } = queueWith({ perSecond: 10, burst: 2 });
  for (let n = 0; n < 1_000; n += 1) leave(enter(`address-${n}`));
  clock.advance(10_000);
  enter('one more');
  expect(queue.counts().addresses).toBe(1);
});
