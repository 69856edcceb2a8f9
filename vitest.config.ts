import { defineConfig } from 'vitest/config';

// Files keep nothing that another one could stumble over: loading what they share anew for each took most of the time.
const shared = { environment: 'node', isolate: false, testTimeout: 30_000, hookTimeout: 90_000 } as const;

export default defineConfig({
  test: {
    // Two cores: one file beside another, so that timings inside a test stay meaningful.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            '{domain,adapters,app,scripts}/**/*.test.ts',
            'supabase/functions/**/*.test.ts',
            'tests/spec/**/*.test.ts',
            'server/*.test.ts',
            'server/{backend,postgres}/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'sql',
          include: ['supabase/tests/**/*.test.ts', 'server/{realtime,demo}/**/*.test.ts'],
          globalSetup: ['tests/support/database-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'http',
          include: ['tests/http/**/*.test.ts'],
          globalSetup: ['tests/support/shop-setup.ts'],
        },
      },
      { test: { ...shared, name: 'start', include: ['tests/start/**/*.test.ts'] } },
    ],
  },
});
