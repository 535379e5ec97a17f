/*
 * From a query plan to SQL. A tier condition has the bits of the tiers it proves: a statement with one subquery per condition, grouped by
 * row, gives each row the sum of its bits. The union of conditions finds all matches without their tiers, for counts and sorted pages.
 *
 * Most rows match exactly one condition, because under one language a stem has one class. Such rows need no grouping, which is the largest
 * cost for frequent words; `disjoint` has their conditions. Conditions use one tsquery match each instead of one combined tsquery: PostgreSQL
 * otherwise looks up only what all alternatives share and rechecks every row. For the same reason filter lexemes are part of each
 * condition.
 *
 * `statement.ts` writes conditions and filters as SQL, and `expected-matches.ts` estimates the number of matches to choose
 * between strategies.
 */
import { lexeme, type TextClass } from '../../analysis/lexemes.ts';
import {
  CLASSES_OF,
  inTexts,
  type NameTier,
  type QueryPlan,
  type TextQuery,
  type TextTier,
  textWordCondition,
} from '../../query/query-plan.ts';
import type { SearchFilters } from '../../query/search-request.ts';
import {
  allOf,
  anyOf,
  type LexemeCondition,
  NAME_TIERS,
  TEXT_TIERS,
  type Tier,
  termCondition,
  tierBit,
} from '../../query/tiers.ts';
import {
  andMatch,
  filterParts,
  type MatchForm,
  matchAny,
  matchClause,
  matchCondition,
  needsCheck,
  type RunStatement,
  StatementValues,
  tsquery,
} from './statement.ts';

/** A search to run: the connection, the query plan and the filters. */
export interface SearchTarget {
  run: RunStatement;
  plan: QueryPlan;
  filters: SearchFilters;
  /** Whether few rows are visited for each tier. */
  hasRareWord?: boolean;
  /** The number of matches, if it is cached. */
  knownCount?: number;
}

/** A condition on rows and the bits of the tiers it represents. */
export interface TierCondition {
  where: string;
  bits: number;
}

const NAME_LEXEME_TIERS: readonly (NameTier | 'tag')[] = [...NAME_TIERS, 'tag'];
const TEXT_CLASSES: readonly TextClass[] = CLASSES_OF.across;

/**
 * The conditions of all tiers; one that several tiers share is looked up once. `isCompact`: one match for each text tier, which takes
 * less planning, but more time when many rows match.
 */
export function tierConditionsOf(
  plan: QueryPlan,
  values: StatementValues,
  { isCompact = false } = {},
): TierCondition[] {
  return [...nameTierConditions(plan, values), ...textTierConditions(plan, values, 'operator', isCompact)];
}

function nameTierConditions(
  { names }: QueryPlan,
  values: StatementValues,
  form: MatchForm = 'operator',
): TierCondition[] {
  const found = new Map<string, { condition: LexemeCondition; bits: number }>();
  for (const tier of NAME_LEXEME_TIERS) {
    const condition = names[tier];
    const query = tsquery(condition);
    if (query !== null) found.set(query, { condition, bits: (found.get(query)?.bits ?? 0) | tierBit(tier) });
  }
  return [...found.values()].map(({ condition, bits }) => ({
    where: matchCondition(form, 'name_lex', condition, values) ?? 'false',
    bits,
  }));
}

function textTierConditions(
  plan: QueryPlan,
  values: StatementValues,
  form: MatchForm,
  isCompact: boolean,
): TierCondition[] {
  const { texts } = plan;
  const single = singleStems(texts);
  if (single !== null)
    return TEXT_CLASSES.flatMap((kind) => classTierConditions(kind, inClass(single, kind), values, form));
  if (isCompact) {
    return TEXT_TIERS.flatMap((tier) => {
      const query = tsquery(anyOf(inTexts(plan, CLASSES_OF[tier])));
      return query === null ? [] : [{ where: matchClause(form, 'text_lex', query, values), bits: tierBit(tier) }];
    });
  }
  return TEXT_TIERS.flatMap((tier) =>
    texts.map((text) => ({ where: textWhere(text, tier, values, form), bits: tierBit(tier) })),
  );
}

function classTierConditions(
  kind: TextClass,
  condition: LexemeCondition,
  values: StatementValues,
  form: MatchForm = 'operator',
): TierCondition[] {
  const query = tsquery(condition);
  return query === null ? [] : [{ where: matchClause(form, 'text_lex', query, values), bits: bitsOfClass(kind) }];
}

/** Conditions whose bits are combined per row, and conditions that are the only match of rows outside those. */
interface DividedTierConditions {
  overlapping: TierCondition[];
  disjoint: TierCondition[];
}

/**
 * The conditions of all tiers, separated into those with and without grouping. Only rows that match in their names, or under another language
 * tag too, have bits from several conditions; for a frequent word these are few.
 */
export function dividedTierConditions(plan: QueryPlan, values: StatementValues): DividedTierConditions {
  const single = singleStems(plan.texts);
  if (single === null) return { overlapping: tierConditionsOf(plan, values), disjoint: [] };
  const main = single.slice(0, 1);
  const others = single.slice(1);
  const inOthers = anyOf(TEXT_CLASSES.map((kind) => inClass(others, kind)));
  const named = tsquery(anyOf(Object.values(plan.names)));
  const andNamed = named === null ? ' AND false' : ` AND ${matchClause('operator', 'name_lex', named, values)}`;
  const overlapping = TEXT_CLASSES.flatMap((kind) => [
    ...classTierConditions(kind, inClass(others, kind), values),
    ...classTierConditions(kind, allOf([inClass(main, kind), inOthers]), values),
    ...classTierConditions(kind, inClass(main, kind), values).map((each) => ({
      ...each,
      where: each.where + andNamed,
    })),
  ]);
  return {
    overlapping: [...nameTierConditions(plan, values), ...overlapping],
    disjoint: TEXT_CLASSES.flatMap((kind) => classTierConditions(kind, inClass(main, kind), values)),
  };
}

/** SQL expression of the bits of the current row. */
export function bitsOfRow(plan: QueryPlan, values: StatementValues): string {
  const conditions = [
    ...nameTierConditions(plan, values, 'function'),
    ...textTierConditions(plan, values, 'function', true),
  ];
  return `(${conditions.map(({ where, bits }) => `CASE WHEN ${where} THEN ${bits} ELSE 0 END`).join(' | ')})`;
}

interface SingleStem {
  tag: string;
  stem: string;
}

/** The stem per tag of a query of one simple word, whose text tiers differ only by class; else null. */
function singleStems(texts: readonly TextQuery[]): SingleStem[] | null {
  const stems = texts.map(({ tag, words }) => {
    const [only, ...others] = words.flat(2).flat();
    return only !== undefined && others.length === 0 ? { tag, stem: only } : null;
  });
  return stems.length === 0 || stems.includes(null) ? null : (stems as SingleStem[]);
}

const inClass = (stems: readonly SingleStem[], kind: TextClass): LexemeCondition =>
  anyOf(stems.map(({ tag, stem }) => termCondition(lexeme(kind, tag, stem))));

function bitsOfClass(kind: TextClass): number {
  const tiers = TEXT_TIERS.filter((tier) => CLASSES_OF[tier].includes(kind));
  return tiers.reduce((bits, tier) => bits | tierBit(tier), 0);
}

/** One match per word is faster than one match for all words. */
function textWhere({ tag, words }: TextQuery, tier: TextTier, values: StatementValues, form: MatchForm): string {
  const conditions = words.map((word) => tsquery(textWordCondition(word, tag, CLASSES_OF[tier])) ?? '');
  return conditions.map((query) => matchClause(form, 'text_lex', query, values)).join(' AND ');
}

/**
 * Conditions whose union is every match that passes the filters; omitted tiers are implied by others. The filter lexemes are repeated in
 * each condition in a different form, as PostgreSQL would otherwise look up only the common part and recheck every row. `more` is
 * appended to each condition.
 */
export function unionOf(
  plan: QueryPlan,
  filters: SearchFilters,
  values: StatementValues,
  { form = 'operator', more = '' }: { form?: MatchForm; more?: string } = {},
): string {
  const { columns, lexemes } = filterParts(filters, values);
  const names = nameUnion(plan).map((each) => (lexemes === null ? each : allOf([each, lexemes])));
  const wanted = [
    ...matchAny(form, 'name_lex', names, values),
    ...textWheres(plan.texts, values, form).map((where) => where + andMatch(lexemes, values, form)),
  ];
  return wanted.length === 0 ? 'false' : wanted.map((where) => `(${where}${columns}${more})`).join(' OR ');
}

/**
 * Name and tag conditions, without those that another prefix condition implies. The words of tags are words of texts, so a tag that is
 * the query implies a match of the texts.
 */
function nameUnion({ names, texts }: QueryPlan): LexemeCondition[] {
  const { exact, whole, all, prefix, tag } = names;
  const union = anyOf([exact, whole, all, prefix, ...(texts.length === 0 ? [tag] : [])]);
  const ways = 'any' in union ? union.any : [union];
  const begun = ways.flatMap((way) => ('prefix' in way ? [way.prefix] : []));
  return ways.filter((way) => !('term' in way && begun.some((start) => way.term.startsWith(start))));
}

function textWheres(texts: readonly TextQuery[], values: StatementValues, form: MatchForm): string[] {
  const single = singleStems(texts);
  if (single === null) return texts.map((text) => textWhere(text, 'across', values, form));
  const ways = TEXT_CLASSES.flatMap((kind) => single.map((stem) => inClass([stem], kind)));
  return matchAny(form, 'text_lex', ways, values);
}

/** Tiers whose rows mostly match a better tier, and that tier. */
const NARROWER: Readonly<Partial<Record<Tier, NameTier>>> = { all: 'phrase', begun: 'start', prefix: 'all' };

const listed = (where: string | null): string[] => (where === null ? [] : [where]);

/** Conditions whose union is the rows of one tier that no better tier already selects; empty when there can be none. */
export function tierWheres({ names, texts }: QueryPlan, tier: Tier, values: StatementValues): string[] {
  if (!(tier in names)) return texts.map((text) => textWhere(text, tier as TextTier, values, 'operator'));
  const query = tsquery(names[tier as NameTier]);
  const better = NARROWER[tier];
  const known = better === undefined ? null : tsquery(names[better]);
  if (query === null || query === known) return [];
  if (known === null) return listed(matchCondition('operator', 'name_lex', names[tier as NameTier], values));
  if (!needsCheck(names[tier as NameTier]))
    return [matchClause('operator', 'name_lex', `${query} & !${known}`, values)];
  const found = listed(matchCondition('operator', 'name_lex', names[tier as NameTier], values));
  return found.map((where) => `${where} AND NOT ${matchClause('function', 'name_lex', known, values)}`);
}

/** The statement for the number of matches of a query with its filters. */
export function countSql({ plan, filters, knownCount }: Omit<SearchTarget, 'run'>, values: StatementValues): string {
  if (knownCount !== undefined) return `SELECT ${values.add(knownCount)}::int AS n`;
  return `SELECT count(*)::int AS n FROM addon_search WHERE ${unionOf(plan, filters, values)}`;
}

/** The number of matches of a query with its filters. */
export async function countMatches(target: SearchTarget): Promise<number> {
  const values = new StatementValues();
  const [row] = await target.run<{ n: number }>(countSql(target, values), values.all);
  return row?.n ?? 0;
}

/** Whether any row matches a query and its filters. */
export async function hasMatches({ run, plan, filters }: SearchTarget): Promise<boolean> {
  const values = new StatementValues();
  const sql = `SELECT FROM addon_search WHERE ${unionOf(plan, filters, values)} LIMIT 1`;
  return (await run(sql, values.all)).length > 0;
}
