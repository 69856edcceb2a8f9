import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createMemoryStore } from './memory-store.ts';
import { contractKeys, contractTimes, describeProvider } from './provider.contract.ts';
import { createRazorpay } from './razorpay.ts';
import { createSimulator, SIMULATOR_URL } from './simulator.ts';
import type { WebhookDelivery } from './simulator-webhooks.ts';

function simulated() {
  const delivered: WebhookDelivery[] = [];
  const simulator = createSimulator({
    ...contractKeys,
    ...contractTimes,
    store: createMemoryStore(),
    now: Date.now,
    deliver: async (event) => {
      delivered.push(event);
    },
  });
  return { simulator, delivered };
}

describeProvider('the simulator in process', async () => {
  const { simulator, delivered } = simulated();
  const { timeoutMs } = contractTimes;
  const provider = createRazorpay({
    ...contractKeys,
    kind: 'test',
    baseUrl: SIMULATOR_URL,
    fetch: simulator.fetch,
    timeoutMs,
  });
  return { provider, simulator, delivered, close: async () => simulator.stop() };
});

describeProvider('the adapter over HTTP', async () => {
  const { simulator, delivered } = simulated();
  const listening = Promise.withResolvers<AddressInfo>();
  const server = serve({ fetch: simulator.api, hostname: '127.0.0.1', port: 0 }, listening.resolve);
  const baseUrl = `http://127.0.0.1:${(await listening.promise).port}/v1/`;
  const provider = createRazorpay({ ...contractKeys, baseUrl, timeoutMs: contractTimes.timeoutMs });
  return {
    provider,
    simulator,
    delivered,
    async close() {
      simulator.stop();
      await new Promise((closed) => server.close(closed));
    },
  };
});
