import { defineConfig } from '@playwright/test';
import { chromiumPath } from './scripts/find-chromium.mjs';
import './scripts/require-pinned-node.mjs';

const chromium = chromiumPath();

export default defineConfig({
  testDir: 'tests/e2e',
  // A folder of its own: Playwright empties it at the start, while another kind of test may be writing its report.
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 4, // twice as many as the processors of a small machine: pages wait as often as they work
  // A busy CI machine may be slow once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  // For machines busy with something else: a passing test never takes so long.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  globalSetup: './tests/support/browser-setup.ts',
  use: {
    // Tests that hold back or change requests would not see those of a worker; the one about it asks for it.
    serviceWorkers: 'block',
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      // The sandbox refuses to run as root, as in most containers.
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
    screenshot: 'only-on-failure',
    // Fireworks and sliding are drawn by the processor here and would slow every test down; those about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    {
      name: 'phone',
      ...(process.env.SOAK ? {} : { grepInvert: /@soak/ }),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
    // Nearly everything is proven on the phone, and on the wide screen what looks or works differently there; the rest and all
    // at both widths in the soak run.
    {
      name: 'desktop',
      ...(process.env.SOAK ? {} : { grep: /@wide/ }),
      use: { viewport: { width: 1440, height: 900 } },
    },
  ],
});
