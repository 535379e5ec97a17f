import { refusedField } from '../../errors.ts';
import { idOf } from '../../graphql/global-id.ts';
import { message } from '../../texts/messages.ts';
import type { SearchValues } from './query/read-search-request.ts';

/** Maximum number of ids in a filter. */
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

interface FilterInput {
  app?: string | null;
  appVersion?: string | null;
  authors?: readonly (string | number)[] | null;
  excludeAddons?: readonly (string | number)[] | null;
  guids?: readonly string[] | null;
  platform?: string | null;
  tags?: readonly string[] | null;
  types?: readonly string[] | null;
}

/** GraphQL ignores empty lists. An empty text is an error. */
export const nonEmpty = <Value>(list: readonly Value[] | null | undefined) => (list?.length ? list : null);

/** The fields that the filters of searches and of the catalogue share, except `categories`. @throws {InvalidInputError} keyed by the field. */
export function valuesOf(filter: FilterInput) {
  const { app, appVersion, authors, excludeAddons, guids, platform, tags, types } = filter;
  return {
    ...{ app, appVersion, platform, guids, tags, types: nonEmpty(types) },
    authors: { ids: idsIn('Account', authors, 'authors'), names: [] as readonly string[] },
    excludeAddons: { ids: idsIn('Addon', excludeAddons, 'excludeAddons'), names: [] as readonly string[] },
  } satisfies SearchValues;
}
