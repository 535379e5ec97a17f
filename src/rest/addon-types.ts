import type { AddonType } from '../generated/operations/graphql.ts';
import type { View } from './view.ts';

const TYPES: Readonly<Record<string, AddonType>> = {
  extension: 'EXTENSION',
  theme: 'THEME',
  dictionary: 'DICTIONARY',
  search: 'SEARCH',
  language: 'LANGUAGE',
  persona: 'PERSONA',
  statictheme: 'STATICTHEME',
};
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
const MEANINGS = new Map(Object.entries({ ...TYPES, ...NUMBERS }));

/** The documented words for types (contract, Add-on type values). */
export const ADDON_TYPES: readonly string[] = Object.keys(TYPES);

/** The type that a word or a number stands for; undefined for any other. */
export function typeOf(word: string): AddonType | undefined {
  return MEANINGS.get(word);
}

/** The types that an API version does not know: such add-ons do not exist there. */
export const unknownTypes = ({ gates }: View): AddonType[] => (gates.staticThemes ? [] : ['STATICTHEME']);
