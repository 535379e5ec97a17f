import { z } from 'zod';
import type { AddonHitFieldsFragment, AutocompleteQuery } from '../../generated/operations/graphql.ts';
import { translated } from '../translations.ts';
import type { View } from '../view.ts';
import { addonJson, addonType } from './addons.ts';
import { textField } from './text.ts';

/** Serializes a search result without its score and closing brace, which depend on the search. */
export function hitText(addon: AddonHitFieldsFragment, view: View): Buffer {
  return Buffer.from(JSON.stringify(addonJson(addon, view)).slice(0, -1));
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Inserts serialized results into an envelope whose last key is `results`. The bytes equal those of JSON.stringify on the whole. */
export function pageText(
  envelope: { results: never[] },
  hits: readonly { score: number; text: Buffer }[],
  { gates }: View,
): Buffer {
  const ends = new Map<number, Buffer>();
  // The score is the last key of a search result in the API versions that have it (contract, search).
  const endOf = (score: number): Buffer => {
    const known = ends.get(score);
    if (known !== undefined) return known;
    const end = Buffer.from(gates.searchScore ? `,"_score":${JSON.stringify(score)}}` : '}');
    ends.set(score, end);
    return end;
  };
  const results = hits.flatMap(({ score, text }) => [COMMA, text, endOf(score)]).slice(1);
  return Buffer.concat([Buffer.from(JSON.stringify(envelope).slice(0, -2)), ...results, END]);
}

/** Schema of an autocomplete result (contract, autocomplete), keys in the order of its list. */
export const suggestion = z
  .strictObject({
    id: z.int(),
    icon_url: z.url(),
    name: textField,
    type: addonType,
    url: z.url(),
  })
  .meta({ id: 'Suggestion' });

/** Returns an autocomplete result. */
export function suggestionJson(shown: AutocompleteQuery['autocomplete'][number], view: View) {
  return {
    id: shown.databaseId,
    icon_url: shown.iconUrl,
    name: translated(shown.name, view),
    type: shown.type.toLowerCase(),
    url: shown.url,
  };
}
