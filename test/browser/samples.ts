/* Addresses in the demo that show every page. */
import type { Role } from './roles.ts';
import type { DemoService } from './service.ts';

/** An address that is checked. */
export interface Sample {
  path: string | ((facts: Facts) => string);
  /** Default: anonymous. */
  role?: Role;
  /** Default: 200. */
  status?: number;
  /** Whether the page shows source code. */
  isCode?: boolean;
  /** False for redirects and files: only the status is checked. */
  isPage?: false;
}

/** Values of the running demo that addresses contain. */
export interface Facts {
  /** Serial number of a certificate. */
  serial: string;
  /** Secret of the page of a validation. */
  validation: string;
}

/** Addresses by the path in the page table. */
export const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  '/login/': [{ path: '/login/?next=/developers/' }],
  '/logout/': [{ path: '/logout/', role: 'developer' }],
  '/preferences/': [{ path: '/preferences/' }],
};

/** Pages that are in no table: errors, and the sign-in of the demo. */
export const ADDITIONAL: readonly Sample[] = [
  { path: '/there/is/no/such/page/', status: 404 },
  { path: '/api/v4/accounts/login/start/?to=/' },
];

/** Finds the values. */
export async function findFacts(_service: DemoService): Promise<Facts> {
  return { serial: '', validation: '' };
}
