import { z } from 'zod';
import type { AutocompleteQuery, SearchQuery } from '../../generated/operations/graphql.ts';
import { translated } from '../translations.ts';
import type { View } from '../view.ts';
import { addonJson, addonType } from './addons.ts';
import { textField } from './text.ts';

/** A search result (contract, search): the add-on and, where an API version has it, its score. */
export function hitJson({ score, addon }: SearchQuery['search']['results'][number], view: View) {
  return { ...addonJson(addon, view), _score: view.gates.searchScore ? score : undefined };
}

/** What autocomplete shows of an add-on (contract, autocomplete), in the order of its list. */
export const suggestion = z
  .strictObject({
    id: z.int(),
    icon_url: z.url(),
    name: textField,
    type: addonType,
    url: z.url(),
  })
  .meta({ id: 'Suggestion' });

/** An add-on as autocomplete shows it. */
export function suggestionJson(shown: AutocompleteQuery['autocomplete'][number], view: View) {
  return {
    id: shown.databaseId,
    icon_url: shown.iconUrl,
    name: translated(shown.name, view),
    type: shown.type.toLowerCase(),
    url: shown.url,
  };
}
