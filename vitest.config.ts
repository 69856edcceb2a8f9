import { defineConfig } from 'vitest/config';
import './scripts/require-pinned-node.mjs';

// Patient, for machines busy with something else: what has to be quick is measured by its own test.
const shared = {
  environment: 'node',
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
} as const;
// Not isolated: these files leave no state that affects another, and loading what they share again for each took longer than
// the tests.
const together = { ...shared, isolate: false } as const;

// What depends on where things run: money and mail, functions and who may call them, sessions, live news, what is told.
const smoke = ['tests/http/{buying,functions,metrics,platform,realtime,secrets,sessions}.test.ts'];

export default defineConfig({
  test: {
    // Two cores: one file beside another, so that timings inside a test stay meaningful.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...together,
          name: 'unit',
          include: [
            '{domain,adapters,app,bench,scripts}/**/*.test.ts',
            'supabase/functions/**/*.test.ts',
            'tests/spec/**/*.test.ts',
            'server/*.test.ts',
            'server/{host,pages,backends,lite,functions,jobs,postgres,operations}/**/*.test.ts',
          ],
          // Packages of bench/lighthouse bring tests of their own. With a database: in the sql project.
          exclude: ['**/node_modules/**', 'server/lite/upstream-defects.test.ts'],
        },
      },
      {
        test: {
          ...together,
          name: 'component',
          environment: 'happy-dom',
          include: ['app/**/*.component.test.tsx'],
          setupFiles: ['tests/support/component-setup.ts'],
        },
      },
      {
        test: {
          ...together,
          name: 'sql',
          include: [
            'supabase/tests/**/*.test.ts',
            'server/{realtime,demo}/**/*.test.ts',
            'server/lite/upstream-defects.test.ts',
          ],
          globalSetup: ['tests/support/database-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'http',
          include: ['tests/http/**/*.test.ts'],
          // Of the database of a Supabase project.
          exclude: ['tests/http/platform.test.ts'],
          globalSetup: ['tests/support/filled-shop.ts', 'tests/support/shop-setup.ts'],
        },
      },
      // The same promises, kept by two nodes on one database and by a web node of a hosted project: some of them in
      // `npm test`, all in the soak run.
      ...(['nodes', 'hosted'] as const).map((shape) => ({
        test: {
          ...shared,
          name: `http-${shape}`,
          include: process.env.SOAK || process.env.WHOLE ? ['tests/http/**/*.test.ts'] : smoke,
          // They have a shop of their own, in one process.
          exclude: ['tests/http/{fuzz,prototypes}.test.ts'],
          globalSetup: ['tests/support/shop-setup.ts'],
        },
      })),
      {
        test: {
          ...shared,
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          // A minute of a processor, for developers only: in the soak run.
          exclude: process.env.SOAK ? [] : ['tests/start/dev.test.ts'],
          globalSetup: ['tests/support/filled-shop.ts'],
        },
      },
    ],
  },
});
