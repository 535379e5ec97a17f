import { z } from 'zod';
import type { AddonHitFieldsFragment, AutocompleteQuery } from '../../generated/operations/graphql.ts';
import type { View } from '../view.ts';
import { addon, addonType } from './addons.ts';
import { shape } from './shape.ts';
import { textKey } from './text.ts';

/** Serializes a search result without its score and closing brace, which depend on the search. */
export function hitText(hit: AddonHitFieldsFragment, view: View): string {
  return JSON.stringify(addon.write(hit, view)).slice(0, -1);
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

/** An autocomplete result (contract, autocomplete), keys in the documented order. */
export const suggestion = shape<AutocompleteQuery['autocomplete'][number]>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    icon_url: [z.url(), ({ iconUrl }) => iconUrl],
    name: textKey(({ name }) => name),
    type: [addonType, ({ type }) => type.toLowerCase()],
    url: [z.url(), ({ url }) => url],
  },
  'Suggestion',
);
