import type { Backend } from '../backends/backend.ts';
import type { Pages } from '../pages/pages.ts';

/** What the host serves once everything is up; before that it only says that it is starting. */
export type Shop = { backend: Backend; pages: Pages; siteUrl: string };

/** What changes in the life of a host: it starts without a shop, opens one, and stops. */
export type HostState = { shop: Shop | null; isStopping: boolean };

export const isOnHttps = ({ shop }: HostState): boolean => shop?.siteUrl.startsWith('https:') ?? false;
