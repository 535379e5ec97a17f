import { APPLICATIONS } from '../../../package/enums.ts';
import { tagLexeme } from '../analysis/lexemes.ts';
import { authorIdLexeme, authorNameLexeme, categoryLexeme, featuredLexeme } from '../index/addon-row.ts';
import type { CategoryKey, FeaturedFilter, SearchFilters } from './search-request.ts';
import { allOf, anyOf, type LexemeCondition, MATCHES_NOTHING, prefixCondition, termCondition } from './tiers.ts';

/** The condition on lexemes that the filters impose; null when no filter uses lexemes. */
export function lexemeCondition(filters: SearchFilters): LexemeCondition | null {
  const { authors, tags, featured, anyCategory, name } = filters;
  const named = [...authors.ids.map(authorIdLexeme), ...authors.names.map(authorNameLexeme)];
  const conditions = [
    ...(named.length === 0 ? [] : [anyOf(named.map(termCondition))]),
    ...tags.map((tag) => termCondition(tagLexeme(tag))),
    ...(featured === null ? [] : [featuredCondition(featured, filters.category)]),
    ...(filters.category === null ? [] : [categoryCondition(filters, filters.category)]),
    ...(anyCategory === undefined ? [] : [keysCondition(anyCategory)]),
    ...(name === undefined ? [] : [name]),
  ];
  return conditions.length === 0 ? null : allOf(conditions);
}

/**
 * An entry without a category always matches; one with a category only when the request names it. Without application and
 * language any entry matches (contract, search: featured).
 */
function featuredCondition({ app, locale }: FeaturedFilter, category: string | null): LexemeCondition {
  if (app === null && locale === null) return anyOf(APPLICATIONS.map((each) => prefixCondition(featuredStart(each))));
  const categories = category === null ? [null] : [null, category];
  return anyOf(
    (app === null ? APPLICATIONS : [app]).flatMap((each) =>
      categories.flatMap((slug) =>
        locale === null
          ? [prefixCondition(featuredLexeme(each, slug))]
          : [termCondition(featuredLexeme(each, slug, locale)), termCondition(featuredLexeme(each, slug, null))],
      ),
    ),
  );
}

const featuredStart = (app: string) => featuredLexeme(app, null).replace(/\|.*$/, '|');

function categoryCondition({ application, types }: SearchFilters, slug: string): LexemeCondition {
  if (application === null) return MATCHES_NOTHING;
  return anyOf(types.map((type) => termCondition(categoryLexeme(application.app, type, slug))));
}

function keysCondition(keys: readonly CategoryKey[]): LexemeCondition {
  if (keys.length === 0) return MATCHES_NOTHING;
  return anyOf(keys.map(({ app, type, slug }) => termCondition(categoryLexeme(app, type, slug))));
}
