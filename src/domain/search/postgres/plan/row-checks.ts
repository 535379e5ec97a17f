/*
 * Single letters in queries. PostgreSQL's text index collects all entries that start with a prefix before it combines them with the other
 * words, and a tenth of all names may have a word with a letter. If the other words are rare, checking their rows for the letter is much
 * cheaper. Only the choice depends on statistics, never the result.
 */
import { type Condition, NEVER } from '../../query/condition.ts';
import { acrossTexts, type QueryPlan } from '../../query/query-plan.ts';

/** Checking more rows than this costs more than the index. */
const MAX_CHECKED = 1_000;
const SINGLE_LETTER = /^t[^:]*:.$/u;

/**
 * A plan whose single letters are checked in the rows of the other words, where these are at most a few. A union with one checked part
 * checks every row of all parts, so no part may match many.
 */
export function checkSingleLetters(plan: QueryPlan, expectedRows: (condition: Condition) => number): QueryPlan {
  const { all, prefix, tag } = plan.names;
  if (!mentions(prefix, (condition) => 'prefix' in condition && SINGLE_LETTER.test(condition.prefix))) return plan;
  if ([all, tag, ...acrossTexts(plan)].some((way) => expectedRows(way) > MAX_CHECKED)) return plan;
  return { ...plan, names: { ...plan.names, prefix: checked(prefix, expectedRows) } };
}

function checked(condition: Condition, expectedRows: (condition: Condition) => number): Condition {
  if ('any' in condition) return { any: condition.any.map((each) => checked(each, expectedRows)) };
  if (!('all' in condition)) return condition;
  const marked = { all: condition.all.map(markLetters) };
  const lookUp = lookUpOf(marked);
  return lookUp !== null && expectedRows(lookUp) <= MAX_CHECKED ? marked : condition;
}

function markLetters(condition: Condition): Condition {
  if ('any' in condition) return { any: condition.any.map(markLetters) };
  if ('all' in condition) return { all: condition.all.map(markLetters) };
  return 'prefix' in condition && SINGLE_LETTER.test(condition.prefix) ? { ...condition, isChecked: true } : condition;
}

/** Whether a part of a condition has a property. */
function mentions(condition: Condition, has: (condition: Condition) => boolean): boolean {
  const parts = 'any' in condition ? condition.any : 'all' in condition ? condition.all : [];
  return has(condition) || parts.some((part) => mentions(part, has));
}

/** Whether rows that the index finds must be checked. */
export function needsCheck(condition: Condition): boolean {
  return mentions(condition, (part) => 'prefix' in part && part.isChecked === true);
}

/** What the index must find of a condition; null if that is every row. */
export function lookUpOf(condition: Condition): Condition | null {
  if ('prefix' in condition) return condition.isChecked ? null : condition;
  if ('any' in condition) {
    const parts = condition.any.map(lookUpOf);
    return parts.includes(null) ? null : { any: parts.map((part) => part ?? NEVER) };
  }
  if (!('all' in condition)) return condition;
  const parts = condition.all.flatMap((part) => lookUpOf(part) ?? []);
  return parts.length === 0 ? null : { all: parts };
}
