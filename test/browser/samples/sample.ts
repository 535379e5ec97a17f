/* What samples of pages are, and the ways to write them. */
import type { Role } from '../roles.ts';
import type { Facts } from '../sample-facts.ts';

/** An address that is checked. */
export interface Sample {
  path: string | ((facts: Facts) => string);
  /** Default: anonymous. */
  role?: Role;
  /** Default: 200. */
  status?: number;
  /** Whether its texts are as long as they can be, so that no budget holds. */
  isHuge?: true;
  /** False for redirects, files and fragments: only the status is checked. */
  isPage?: false;
}

/** Samples by the path in the page table. The first one of a page is visited in all languages and colours. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;

/** The same page for each role. */
export const asEach = (path: string, ...roles: Role[]): Sample[] => roles.map((role) => ({ path, role }));

export const file = (path: Sample['path'], status = 200): Sample => ({ path, status, isPage: false });
