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

/** The add-on type of a documented word or of a number that older clients send; undefined for others. */
export function typeOf(word: string): AddonType | undefined {
  return MEANINGS.get(word);
}

/** Add-on types that an API version leaves out. */
export const unknownTypes = ({ gates }: View): AddonType[] => (gates.staticThemes ? [] : ['STATICTHEME']);
