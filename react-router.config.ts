import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // All routes are known at the first load: no manifest requests while browsing.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
