import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';

/** The viewer as the audit log names him. @throws what `requireCatalogueKeeper` throws. */
export function keeperOf(viewer: Viewer): string {
  const { accountId, username } = requireCatalogueKeeper(viewer);
  return `account ${accountId} (${username})`;
}

/** The result of a mutation of those who keep the catalogue: its payload, or one of these. */
export const refusals = (name: string) => ({
  types: [InvalidInputError, NotFoundError, NotPermittedError],
  union: { name },
});
