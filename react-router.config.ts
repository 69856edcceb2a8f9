import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // A page knows its own routes and fetches those of its links: customers do not load the console's list of screens.
  routeDiscovery: { mode: 'lazy' },
} satisfies Config;
