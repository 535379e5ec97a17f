import { refusedField } from '../../errors.ts';
import { idOf } from '../../graphql/global-id.ts';
import { message } from '../../texts/messages.ts';
import type { Named } from './query/search-request.ts';

/** Maximum number of ids, and of names, in a filter. */
const MAX_IDS = 500;

/**
 * The database ids inside the global ids of a filter.
 * @throws {InvalidInputError} on `field` for an id of another type and for more than 500 ids.
 */
export function idsIn(typename: string, ids: readonly (string | number)[] | null | undefined, field: string): number[] {
  if (ids != null && ids.length > MAX_IDS)
    throw refusedField(field, message('filter.too_many_ids', { count: MAX_IDS }));
  return (ids ?? []).map((id) => idOf(typename, id, field));
}

/** @throws {InvalidInputError} on `field` for more than 500 names. */
function namesIn(names: readonly string[] | null | undefined, field: string): readonly string[] {
  if (names != null && names.length > MAX_IDS)
    throw refusedField(field, message('filter.too_many_names', { count: MAX_IDS }));
  return names ?? [];
}

interface ReferenceInput {
  author?: readonly string[] | null;
  authorIds?: readonly (string | number)[] | null;
  excludeAddons?: readonly string[] | null;
  excludeAddonIds?: readonly (string | number)[] | null;
}

/** Accounts and add-ons of a filter, by name and by global id. @throws {InvalidInputError} keyed by the field. */
export function referencesIn(filter: ReferenceInput): { author: Named; exclude_addons: Named } {
  return {
    author: { ids: idsIn('Account', filter.authorIds, 'authorIds'), names: namesIn(filter.author, 'author') },
    exclude_addons: {
      ids: idsIn('Addon', filter.excludeAddonIds, 'excludeAddonIds'),
      names: namesIn(filter.excludeAddons, 'excludeAddons'),
    },
  };
}
