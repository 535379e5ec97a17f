import type { Route } from '../route.ts';
import { addonRoutes } from './addons.ts';
import { discoveryRoutes } from './discovery.ts';
import { searchRoutes } from './search.ts';
import { signingRoutes } from './signing.ts';
import { versionRoutes } from './versions.ts';

/** Everything that is served under /api/, in the order of the contract. */
export const routes: readonly Route[] = [
  ...signingRoutes,
  ...searchRoutes,
  ...addonRoutes,
  ...versionRoutes,
  ...discoveryRoutes,
];
