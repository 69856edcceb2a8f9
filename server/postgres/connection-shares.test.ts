import { expect, test } from 'vitest';
import { connectionsOf, FEWEST_CONNECTIONS, shareConnections, USUAL_CONNECTIONS } from './connection-shares.ts';

test('a node never has more connections than it was given, and every part of it has some', () => {
  for (let most = FEWEST_CONNECTIONS; most <= 200; most += 1) {
    const shares = shareConnections(most);
    expect(connectionsOf(shares)).toBeLessThanOrEqual(most);
    // The setup holds its lock on one connection and migrates on another.
    expect(shares.own).toBeGreaterThanOrEqual(2);
    for (const share of Object.values(shares)) expect(share).toBeGreaterThanOrEqual(1);
  }
});

test('who is given more uses more', () => {
  const used = [FEWEST_CONNECTIONS, 20, USUAL_CONNECTIONS, 60].map((most) => connectionsOf(shareConnections(most)));
  expect(used).toEqual([...used].sort((a, b) => a - b));
  expect(used[2]).toBe(USUAL_CONNECTIONS);
});
