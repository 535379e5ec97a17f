import { tagsOfQuery } from '../../../src/domain/search/analysis/languages.ts';
import { analyse } from '../../../src/domain/search/analysis/words.ts';
import type { QuerySuggestion } from '../../../src/domain/search/postgres/suggest-query.ts';
import { correctQuery } from '../../../src/domain/search/query/correct-query.ts';
import { isNearly } from '../../../src/domain/search/query/partial-match.ts';
import { planQuery } from '../../../src/domain/search/query/query-plan.ts';
import type { SearchRequest } from '../../../src/domain/search/query/search-request.ts';
import type { CatalogueAddon } from './catalogue.ts';
import { passes } from './reference-filters.ts';
import { readQuery, type Wanted } from './reference-names.ts';
import { factor, namesUnder, referenceSearch, worth } from './reference-scorer.ts';

/** The suggestion for a request, found by checking every add-on. */
export function referenceSuggestion(
  catalogue: readonly CatalogueAddon[],
  request: SearchRequest,
): QuerySuggestion | null {
  const { query, locale, filters } = request;
  const plan = query === null ? null : planQuery(query, locale);
  if (query === null || plan === null) return null;
  const search = (q: string) =>
    referenceSearch(catalogue, { ...request, query: q, sort: ['relevance'] }, { strictly: true }).map(({ id }) => id);
  const strict = search(query);
  if (strict.length > 4) return null;
  const best = catalogue.find(({ id }) => id === strict[0]);
  const minimum = best === undefined ? 0 : 100 * Math.max(1, best.users);
  const tags = tagsOfQuery(locale);
  const readings = tags.map((tag) => readQuery(analyse(query, 20), tag, tags[1] ?? ''));
  const candidates = catalogue
    .filter((addon) => !addon.hidden && passes(addon, filters) && !strict.includes(addon.id))
    .filter(({ users }) => users >= minimum)
    .map((addon) => ({ addon, score: nearness(addon, readings) * factor(addon) }))
    .filter(({ score }) => score > 0)
    .sort(
      (one, other) => other.score - one.score || other.addon.users - one.addon.users || one.addon.id - other.addon.id,
    )
    .slice(0, 5);
  for (const { addon } of candidates) {
    const q = correctQuery(query, plan.loose, addon);
    if (q === null) continue;
    const found = search(q);
    return found.includes(addon.id) ? { q, count: found.length } : null;
  }
  return null;
}

/** How much of a name the query nearly is: all of it, some of its words, or 0. */
function nearness(addon: CatalogueAddon, readings: readonly Wanted[]): number {
  const weights = new Set<number>();
  for (const { tag, content, query } of readings) {
    const names = namesUnder(addon, tag);
    if (names === null || names.raw.length === 0) continue;
    if (names.squashes.some((squash) => squash !== '' && isNearly(query.squash, squash))) weights.add(2.5);
    if (content.every(({ orig }) => [...names.terms].some((term) => isNearly(orig, term)))) weights.add(1);
  }
  return worth([...weights]);
}
