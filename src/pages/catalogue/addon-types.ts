import { enumValues, wordList } from '../../http/params.ts';
import { ADDON_TYPES, type AddonType } from '../../package/words.ts';

const TYPES = enumValues(ADDON_TYPES);

/** Types of add-ons as GraphQL names; null when absent. */
export const addonTypes = wordList('Types of add-ons', ADDON_TYPES, (word) => TYPES[word as AddonType]);
