import { floorApplicationVersion } from '../../../package/application-version.ts';
import { COMPATIBILITY_COLUMNS } from '../index/addon-row.ts';
import { lexemeCondition } from '../query/filter-lexemes.ts';
import type { ApplicationFilter, SearchFilters } from '../query/search-request.ts';
import type { LexemeCondition } from '../query/tiers.ts';

/** A query clause as JSON. */
export type Clause = Readonly<Record<string, unknown>>;

type LexemeField = 'name_lex' | 'text_lex';

const NOTHING: Clause = { match_none: {} };

/** Disjunction; matches nothing when empty. */
export function anyClause(clauses: readonly Clause[]): Clause {
  const [first, second] = clauses;
  if (first === undefined) return NOTHING;
  return second === undefined ? first : { bool: { should: clauses, minimum_should_match: 1 } };
}

/** A condition on the lexemes of a field. */
export function clauseOf(condition: LexemeCondition, field: LexemeField): Clause {
  if ('term' in condition) return { term: { [field]: condition.term } };
  if ('prefix' in condition) return { prefix: { [field]: condition.prefix } };
  if ('all' in condition) return { bool: { filter: condition.all.map((each) => clauseOf(each, field)) } };
  const terms = condition.any.flatMap((each) => ('term' in each ? [each.term] : []));
  const others = condition.any.filter((each) => !('term' in each)).map((each) => clauseOf(each, field));
  const [term, second] = terms;
  if (term === undefined) return anyClause(others);
  return anyClause([second === undefined ? { term: { [field]: term } } : { terms: { [field]: terms } }, ...others]);
}

/** Ids of the add-ons that a request names by guid or slug, read from the database. Null without guids. */
export interface NamedIds {
  wanted: readonly number[] | null;
  excluded: readonly number[];
}

/** One clause per filter. */
export function filterClauses(filters: SearchFilters, { wanted, excluded }: NamedIds): Clause[] {
  const { types, platform, application, isInstallable } = filters;
  const lexemes = lexemeCondition(filters);
  return [
    ...(types.length === 0 ? [] : [{ terms: { type: types } }]),
    ...(platform === null ? [] : [{ terms: { platform: [platform, 'all'] } }]),
    ...(application === null ? [] : applicationClauses(application)),
    ...(isInstallable === undefined ? [] : [{ term: { installable: isInstallable } }]),
    ...(lexemes === null ? [] : [clauseOf(lexemes, 'name_lex')]),
    ...(wanted === null ? [] : [wanted.length === 0 ? NOTHING : { terms: { id: wanted } }]),
    ...(excluded.length === 0 ? [] : [{ bool: { must_not: [{ terms: { id: excluded } }] } }]),
  ];
}

/** Only a bound that is present can exclude an add-on. */
function applicationClauses({ app, version }: ApplicationFilter): Clause[] {
  const made = { term: { app } };
  if (version === null) return [made];
  const [min, max] = COMPATIBILITY_COLUMNS[app];
  const outside = [
    { range: { [min]: { gt: version } } },
    { range: { [max]: { lt: floorApplicationVersion(version) } } },
  ];
  return [made, { bool: { must_not: outside } }];
}

const LEAVES = new Set(['term', 'terms', 'prefix', 'fuzzy', 'range', 'match_none']);

/** Number of clauses of a query; servers refuse queries with too many. */
export function lookUpsIn(query: unknown): number {
  if (Array.isArray(query)) return query.reduce<number>((sum, each) => sum + lookUpsIn(each), 0);
  if (query === null || typeof query !== 'object') return 0;
  return Object.entries(query).reduce((sum, [key, value]) => sum + (LEAVES.has(key) ? 1 : lookUpsIn(value)), 0);
}
