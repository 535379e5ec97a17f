import type { PackageError } from '../../errors.ts';
import { notPlain } from './refusals.ts';

/**
 * `plain`: entries and their times only, for files that are published as they are. `packed`: also what packers add without
 * effect on any entry (comments, zip64, unknown extra fields, the header of a CRX file), for packages that are rewritten
 * before they are published.
 */
export type Container = 'plain' | 'packed';

/** Accepts or refuses what only a rewrite removes, and notes whether an archive has it. */
export class ContainerRules {
  /** Whether nothing was found yet that a plain container may not have. */
  isPlain = true;
  readonly #container: Container;

  constructor(container: Container = 'plain') {
    this.#container = container;
  }

  /** @throws {PackageError} in a plain container. */
  requirePacked(refusal: () => PackageError = notPlain): void {
    if (this.#container === 'plain') throw refusal();
    this.isPlain = false;
  }
}
