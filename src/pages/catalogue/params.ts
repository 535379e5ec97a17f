/* Parameters that pages of the catalogue share. They are named and written as in REST. */
import type { AddonType, SearchSort } from '../../generated/operations/graphql.ts';
import { enumValues, label, oneOf, type Param, sentText, text, word, wordList } from '../../http/params.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../package/enums.ts';

/** A parameter that is absent when it is empty: forms send the empty choices of people too. */
const orEmpty = <Value>(param: Param<Value>): Param<Value> => ({
  ...param,
  read: sentText.transform((text) => text || null).pipe(param.read),
});

/** The sort keys that the search page offers. */
export const SORTS = ['relevance', 'users', 'downloads', 'rating', 'hotness', 'updated', 'created'] as const;

const TYPE_OF = new Map<string, AddonType>(Object.entries(enumValues(ADDON_TYPES)));
const SORT_OF = new Map<string, SearchSort>(Object.entries(enumValues(SORTS)));

export const app = orEmpty(word('Application.', enumValues(APPLICATIONS)));
export const platform = orEmpty(word('Platform; add-ons for all platforms are included.', enumValues(PLATFORMS)));
export const appversion = orEmpty(text('Version of the application, such as 60.0; only with app.'));
export const types = orEmpty(wordList('Types of add-ons', ADDON_TYPES, (name) => TYPE_OF.get(name)));
export const sort = orEmpty(wordList('Keys to sort by', SORTS, (name) => SORT_OF.get(name)));
export const query = orEmpty(text('Words to search for.'));
export const featured = orEmpty(oneOf('Only featured add-ons.', ['true']));
export const slug = orEmpty(label('Short name.'));

/** Comma-separated names without empty ones; null without any. */
export const list: Param<string[] | null> = {
  ...label('Names, separated by commas.'),
  read: text('').read.transform((written) => {
    const names = written?.split(',').filter((each) => each.trim() !== '');
    return names?.length ? names : null;
  }),
};

/** The number of a page, from 1; 1 for anything else. */
export const pageNumber: Param<number> = {
  ...label('Page number, from 1.'),
  read: sentText.transform((text) => (text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1)),
};
