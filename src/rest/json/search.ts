import { z } from 'zod';
import type { AutocompleteQuery, SearchQuery } from '../../generated/operations/graphql.ts';
import type { View } from '../view.ts';
import { addonShape, addonType } from './addons.ts';
import { shape } from './shape.ts';
import { textKey } from './text.ts';

/** A search result: the add-on, and in the API versions that have it the score as the last key (contract, search). */
export const writeHit = ({ score, node }: SearchQuery['search']['edges'][number], view: View): object => ({
  ...addonShape.write(node, view),
  ...(view.gates.searchScore ? { _score: score } : {}),
});

/** An autocomplete result (contract, autocomplete), keys in the documented order. */
export const suggestionShape = shape<AutocompleteQuery['autocomplete'][number]>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    icon_url: [z.url(), ({ iconUrl }) => iconUrl],
    name: textKey(({ name }) => name),
    type: [addonType, ({ type }) => type.toLowerCase()],
    url: [z.url(), ({ url }) => url],
  },
  'Suggestion',
);
