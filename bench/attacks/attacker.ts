// One client address that attacks, in a process of its own with the lowest priority: on two cores the load generator must not
// take the time that it then measures as the shop's.
import { setPriority } from 'node:os';
import { type AttackName, attacks } from './attacks.ts';
import { createLoadGenerator, type Target } from './load-generator.ts';

export type AttackOrder = Target & { attack: AttackName; token: string };

const LOWEST = 19;

process.once('message', async (order: AttackOrder) => {
  setPriority(LOWEST);
  const before = process.cpuUsage();
  const tools = createLoadGenerator(order);
  await attacks[order.attack](tools, order);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ...tools.report, cpuMs: (user + system) / 1000 }, () => process.exit(0));
});
