import type { Route } from '../route.ts';
import { addonRoutes } from './addons.ts';
import { discoveryRoutes } from './discovery.ts';
import { searchRoutes } from './search.ts';
import { signingRoutes } from './signing.ts';
import { themeRoutes } from './themes.ts';
import { versionRoutes } from './versions.ts';

/**
 * Everything that is served under /api/, and what answers name outside of it. The first that fits answers: signing comes
 * behind the catalogue, because its addresses take in those of an add-on that is called `versions`.
 */
export const routes: readonly Route[] = [
  ...searchRoutes,
  ...addonRoutes,
  ...versionRoutes,
  ...discoveryRoutes,
  ...themeRoutes,
  ...signingRoutes,
];
