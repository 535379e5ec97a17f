import type { Route } from '../route.ts';
import { signingRoutes } from './signing.ts';

/** Everything that is served under /api/, in the order of the contract. */
export const routes: readonly Route[] = [...signingRoutes];
