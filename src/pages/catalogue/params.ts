/* Parameters that pages of the catalogue share. They are named and written as in REST. */
import type { AddonType, SearchSort } from '../../generated/operations/graphql.ts';
import {
  enumValues,
  labelParam,
  oneOf,
  type Param,
  sentText,
  textParam,
  wordList,
  wordParam,
} from '../../http/params.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../package/enums.ts';

/** A parameter that is absent when it is empty: forms send the empty choices of people too. */
const orEmpty = <Value>(param: Param<Value>): Param<Value> => ({
  ...param,
  read: sentText.transform((text) => text || null).pipe(param.read),
});

/** The sort keys that the search page offers. */
export const SEARCH_SORTS = ['relevance', 'users', 'downloads', 'rating', 'hotness', 'updated', 'created'] as const;

const TYPE_OF = new Map<string, AddonType>(Object.entries(enumValues(ADDON_TYPES)));
const SORT_OF = new Map<string, SearchSort>(Object.entries(enumValues(SEARCH_SORTS)));

export const appParam = orEmpty(wordParam('Application.', enumValues(APPLICATIONS)));
export const platformParam = orEmpty(
  wordParam('Platform; add-ons for all platforms are included.', enumValues(PLATFORMS)),
);
export const appVersionParam = orEmpty(textParam('Version of the application, such as 60.0; only with app.'));
export const typesParam = orEmpty(wordList('Types of add-ons', ADDON_TYPES, (name) => TYPE_OF.get(name)));
export const sortParam = orEmpty(wordList('Keys to sort by', SEARCH_SORTS, (name) => SORT_OF.get(name)));
export const queryParam = orEmpty(textParam('Words to search for.'));
export const featuredParam = orEmpty(oneOf('Only featured add-ons.', ['true']));
export const slugParam = orEmpty(labelParam('Short name.'));

/** Comma-separated names without empty ones; null without any. */
export const listParam: Param<string[] | null> = {
  ...labelParam('Names, separated by commas.'),
  read: textParam('').read.transform((written) => {
    const names = written?.split(',').filter((each) => each.trim() !== '');
    return names?.length ? names : null;
  }),
};

/** The number of a page, from 1; 1 for anything else. */
export const pageNumber: Param<number> = {
  ...labelParam('Page number, from 1.'),
  read: sentText.transform((text) => (text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1)),
};
