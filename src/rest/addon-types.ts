import type { AddonType } from '../generated/operations/graphql.ts';
import { enumValues } from '../http/params.ts';
import { ADDON_TYPES } from '../package/enums.ts';
import type { View } from './view.ts';

/** The numbers that older clients send. */
const NUMBERS: Readonly<Record<string, AddonType>> = {
  1: 'EXTENSION',
  2: 'THEME',
  3: 'DICTIONARY',
  4: 'SEARCH',
  5: 'LANGUAGE',
  9: 'PERSONA',
  10: 'STATICTHEME',
};
const MEANINGS = new Map(Object.entries({ ...enumValues(ADDON_TYPES), ...NUMBERS }));

/** The add-on type of a documented word or of a number that older clients send; undefined for others. */
export function typeOf(word: string): AddonType | undefined {
  return MEANINGS.get(word);
}

/** Add-on types that an API version leaves out. */
export const hiddenTypes = ({ gates }: View): 'statictheme'[] => (gates.staticThemes ? [] : ['statictheme']);

/** The same as values of the operations. */
export const unknownTypes = (view: View): AddonType[] => hiddenTypes(view).map(() => 'STATICTHEME');
