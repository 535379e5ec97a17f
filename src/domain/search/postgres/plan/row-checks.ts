/*
 * Starts of words after other words. PostgreSQL's text index collects all entries that start with a prefix before it combines them with the
 * other words: a tenth of all names may have a word with a letter, and a sixth the word "green". If the other words are rare, checking
 * their rows for the prefix is much cheaper. Only the choice depends on statistics, never the result.
 */
import { type Condition, NEVER } from '../../query/condition.ts';
import { acrossTexts, type QueryPlan } from '../../query/query-plan.ts';

/** Number of all rows, and an estimate of the number of rows that match a condition. */
interface Expected {
  all: number;
  rows: (condition: Condition) => number;
}

/** Checking more rows than this costs more than the index. */
const MAX_CHECKED = 1_000;
/** Looking up prefixes of a smaller share of the rows is cheap. */
const MIN_SHARE = 0.01;
/** Checking a row takes as long as collecting this many rows of a prefix. */
const COLLECTED_PER_CHECK = 30;

/**
 * A plan whose frequent prefixes are checked in the rows of the other words, where these are at most a few. A union with one checked part
 * checks every row of all parts, so no part may match many.
 */
export function checkFrequentPrefixes(plan: QueryPlan, expected: Expected): QueryPlan {
  const { all, prefix, tag } = plan.names;
  const found = checked(prefix, expected);
  if (!needsCheck(found)) return plan;
  if ([all, tag, ...acrossTexts(plan)].some((way) => expected.rows(way) > MAX_CHECKED)) return plan;
  return { ...plan, names: { ...plan.names, prefix: found } };
}

function checked(condition: Condition, expected: Expected): Condition {
  if ('any' in condition) return { any: condition.any.map((each) => checked(each, expected)) };
  if (!('all' in condition)) return condition;
  let collected = 0;
  const isFrequent = (part: Condition): boolean => {
    const rows = expected.rows(part);
    if (rows < MIN_SHARE * expected.all) return false;
    collected += rows;
    return true;
  };
  const marked = { all: condition.all.map((part) => markPrefixes(part, isFrequent)) };
  const lookUp = collected === 0 ? null : lookUpOf(marked);
  return lookUp !== null && expected.rows(lookUp) * COLLECTED_PER_CHECK <= collected ? marked : condition;
}

function markPrefixes(condition: Condition, isFrequent: (prefix: Condition) => boolean): Condition {
  if ('any' in condition) return { any: condition.any.map((part) => markPrefixes(part, isFrequent)) };
  if ('all' in condition) return { all: condition.all.map((part) => markPrefixes(part, isFrequent)) };
  return 'prefix' in condition && isFrequent(condition) ? { ...condition, isChecked: true } : condition;
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
