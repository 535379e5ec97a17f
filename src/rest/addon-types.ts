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
const NUMBERS = ['extension', 'theme', 'dictionary', 'search', 'language'];
const LATER_NUMBERS: Readonly<Record<string, string>> = { 9: 'persona', 10: 'statictheme' };

/** The documented words for types (contract, Add-on type values). */
export const ADDON_TYPES: readonly string[] = Object.keys(TYPES);

/** The type that a word or a number stands for; undefined for any other. */
export function typeOf(word: string): AddonType | undefined {
  const name = NUMBERS[Number(word) - 1] ?? LATER_NUMBERS[word] ?? word;
  return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
}

/** The types that an API version does not know: such add-ons do not exist there. */
export const unknownTypes = ({ gates }: View): AddonType[] => (gates.staticThemes ? [] : ['STATICTHEME']);
