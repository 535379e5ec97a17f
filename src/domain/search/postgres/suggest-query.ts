/*
 * "Did you mean": a query that finds a popular add-on which the present one misses by a misspelling, because few obscure add-ons are
 * spelled that way. Only a suggestion: results never mix exact and loose matches.
 *
 * A suggestion needs fewer than five strict matches, and an add-on whose name the query is within the edit distance of: as a whole, or each of
 * its content words. It has at least a hundred times the users of the best strict match; without strict matches any add-on counts. Of several such
 * add-ons the best loose match counts. All filters apply. PostgreSQL makes suggestions for both engines: at most four statements.
 */
import type { TextsByLocale } from '../../addons/localized-text.ts';
import { lexeme } from '../analysis/lexemes.ts';
import { POPULARITY_LEVELS } from '../index/popularity.ts';
import { correctQuery } from '../query/correct-query.ts';
import { type LooseQuery, planQuery, type QueryPlan } from '../query/query-plan.ts';
import type { SearchRequest } from '../query/search-request.ts';
import { allOf, anyOf, type LexemeCondition, looseBit, termCondition } from '../query/tiers.ts';
import { filterSql, matchClause, type RunStatement, StatementValues, tsquery } from './plan/statement.ts';
import { hasMatches, type SearchTarget, tierConditionsOf, unionOf } from './plan/tier-conditions.ts';
import { type NearTerms, nearTerms, PARTIAL_MATCH_SCORES } from './rank/partial-match-page.ts';
import { BY_SCORE, scoresSql, TIER_SCORES } from './rank/ranking.ts';

/** A query with more matches than this has no suggestion. */
const MAX_MATCHES = 4;
/** How many times the users of the best strict match. */
const TIMES_USERS = 100;
/** Add-ons whose names are tried. */
const MAX_CANDIDATES = 5;

/** A corrected query and the number of its results with the same filters. */
export interface QuerySuggestion {
  q: string;
  count: number;
}

interface Match {
  id: number;
  users: number;
}

/**
 * Suggests another query for a request with `count` results.
 * @param comparesWords whether the database computes edit distances.
 */
export async function suggestQuery(
  run: RunStatement,
  request: SearchRequest,
  count: number,
  comparesWords: boolean,
): Promise<QuerySuggestion | null> {
  const { query, locale, alsoIn, filters } = request;
  const plan = query === null ? null : planQuery(query, locale, alsoIn);
  // Whatever a suggestion can find is a loose match, so without any result there is none.
  if (query === null || plan === null || count === 0) return null;
  const target = { run, plan, filters };
  const strict = await strictMatches(target, count);
  if (strict === null) return null;
  for (const { id, name, defaultLocale } of await findCandidates(target, strict, comparesWords)) {
    const q = correctQuery(query, plan.loose, { name, defaultLocale });
    const corrected = q === null ? null : planQuery(q, locale, alsoIn);
    if (q === null || corrected === null) continue;
    const found = await countWith({ run, plan: corrected, filters }, id);
    return found === null ? null : { q, count: found };
  }
  return null;
}

/** The strict matches, best first; null when there are too many. Many results are all strict matches or all loose ones. */
async function strictMatches(target: SearchTarget, count: number): Promise<readonly Match[] | null> {
  if (count > MAX_MATCHES) return (await hasMatches(target)) ? null : [];
  const values = new StatementValues();
  const filter = filterSql(target.filters, values, 'operator');
  const scores = scoresSql(
    { overlapping: tierConditionsOf(target.plan, values, { isCompact: true }), filter, tierScores: TIER_SCORES },
    values,
  );
  if (scores === null) return [];
  const found = await target.run<Match>(
    `SELECT addon_id AS id, users FROM (${scores}) AS scored ORDER BY ${BY_SCORE} LIMIT ${MAX_MATCHES + 1}`,
    values.all,
  );
  return found.length > MAX_MATCHES ? null : found;
}

interface Candidate {
  id: number;
  name: TextsByLocale;
  defaultLocale: string;
}

/** Popular loose matches, best first. */
async function findCandidates(
  { run, plan, filters }: SearchTarget,
  strict: readonly Match[],
  comparesWords: boolean,
): Promise<Candidate[]> {
  const [best] = strict;
  const users = best === undefined ? 0 : TIMES_USERS * Math.max(1, best.users);
  const near = await nearTerms(run, plan.loose, comparesWords);
  const values = new StatementValues();
  const conditions = [
    { condition: nearNames(plan, near), bits: looseBit('looseName') },
    { condition: anyOf(plan.loose.map((reading) => nearWords(reading, near))), bits: looseBit('looseWords') },
  ].flatMap(({ condition, bits }) => {
    const query = tsquery(condition);
    return query === null ? [] : [{ where: matchClause('operator', 'name_lex', query, values), bits }];
  });
  const level = POPULARITY_LEVELS.find((each) => users >= each.users)?.level ?? 0;
  const others = values.add(strict.map(({ id }) => id));
  const filter = `${filterSql(filters, values, 'operator')} AND lvl >= ${level} AND users >= ${values.add(users)}::int8
    AND addon_id <> ALL(${others}::int[])`;
  const scores = scoresSql({ overlapping: conditions, filter, tierScores: PARTIAL_MATCH_SCORES }, values);
  if (scores === null) return [];
  return run<Candidate>(
    `SELECT a.id, a.name, a.default_locale AS "defaultLocale"
    FROM (SELECT * FROM (${scores}) AS scored ORDER BY ${BY_SCORE} LIMIT ${MAX_CANDIDATES}) AS best
    JOIN addon a ON a.id = best.addon_id ORDER BY ${BY_SCORE}`,
    values.all,
  );
}

function nearNames({ loose }: QueryPlan, near: NearTerms): LexemeCondition {
  return anyOf(
    loose.flatMap(({ tag, squash }) => near('q', squash).map((each) => termCondition(lexeme('q', tag, each)))),
  );
}

/** Every word, unlike the loose pass, which needs most of them: the corrected query must match. */
function nearWords({ tag, words }: LooseQuery, near: NearTerms): LexemeCondition {
  return allOf(words.map((word) => anyOf(near('t', word).map((each) => termCondition(lexeme('t', tag, each))))));
}

/** The number of strict matches if an add-on is among them; else null. */
async function countWith({ run, plan, filters }: SearchTarget, id: number): Promise<number | null> {
  const values = new StatementValues();
  const where = unionOf(plan, filters, values);
  const [row] = await run<{ n: number; found: boolean | null }>(
    `SELECT count(*)::int AS n, bool_or(addon_id = ${values.add(id)}::int) AS found FROM addon_search WHERE ${where}`,
    values.all,
  );
  return row?.found ? row.n : null;
}
