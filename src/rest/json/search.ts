import { z } from 'zod';
import type { AddonHitFieldsFragment, AutocompleteQuery } from '../../generated/operations/graphql.ts';
import { translated } from '../translations.ts';
import type { View } from '../view.ts';
import { addonJson, addonType } from './addons.ts';
import { textField } from './text.ts';

/** The JSON of a search result but for its end, which differs by search. */
export function hitText(addon: AddonHitFieldsFragment, view: View): Buffer {
  return Buffer.from(JSON.stringify(addonJson(addon, view)).slice(0, -1));
}

/** The end of a search result (contract, search): its score, where an API version has it. */
const endOfHit = (score: number, { gates }: View): string =>
  gates.searchScore ? `,"_score":${JSON.stringify(score)}}` : '}';

/** An envelope, whose last key is `results`, with these results in it: the same bytes as if all had been written at once. */
export function pageText(
  envelope: { results: never[] },
  hits: readonly { score: number; text: Buffer }[],
  view: View,
): Buffer {
  const parts: Buffer[] = [Buffer.from(JSON.stringify(envelope).slice(0, -2))];
  hits.forEach(({ score, text }, index) => {
    const end = endOfHit(score, view);
    parts.push(text, Buffer.from(index === hits.length - 1 ? end : `${end},`));
  });
  return Buffer.concat([...parts, Buffer.from(']}')]);
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
