/* Addresses in the demo that show every page. */
import { CODE_SAMPLES } from './code.ts';
import { PEOPLE_SAMPLES } from './people.ts';
import { PUBLIC_SAMPLES } from './public.ts';
import type { Sample, Samples } from './sample.ts';
import { STAFF_SAMPLES } from './staff.ts';

/** Addresses by the path in the page table. */
export const SAMPLES: Samples = { ...PUBLIC_SAMPLES, ...CODE_SAMPLES, ...PEOPLE_SAMPLES, ...STAFF_SAMPLES };

/** Pages that are in no table: errors, and the sign-in of the demo. */
export const ADDITIONAL: readonly Sample[] = [
  { path: '/there/is/no/such/page/', status: 404 },
  { path: '/developers/addon/evening-sky/', role: 'developer', status: 403 },
  { path: '/api/v4/accounts/login/start/?to=/' },
];
