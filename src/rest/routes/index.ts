import type { Route } from '../route.ts';
import { addonRoutes } from './addons.ts';
import { discoveryRoutes } from './discovery.ts';
import { searchRoutes } from './search.ts';
import { signingRoutes } from './signing.ts';
import { themeRoutes } from './themes.ts';
import { versionRoutes } from './versions.ts';

/** Everything that is served under /api/, in the order of the contract, and what answers name outside of it. */
export const routes: readonly Route[] = [
  ...signingRoutes,
  ...searchRoutes,
  ...addonRoutes,
  ...versionRoutes,
  ...discoveryRoutes,
  ...themeRoutes,
];
