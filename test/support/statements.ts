import pg from 'pg';

type Query = { text?: string } | string;

/**
 * Statements that are not counted: those of transactions, and those that run periodically (the read-only switch every few seconds,
 * search statistics every ten minutes, counts of downloads and update checks seconds after the first
 * one, and the pings of listeners and of workers).
 */
const UNCOUNTED =
  /^(begin|commit|rollback|set |deallocate)|"?service_state"?|pg_stats|download_count|update_check|^listen |listener_ping|^select$/i;

/** Runs `work` and returns the SQL statements that the process sends during it. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...words: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function counted(this: unknown, ...words: unknown[]) {
    const [first] = words as [Query];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    if (text !== '' && !UNCOUNTED.test(text.trim())) statements.push(text);
    return query.apply(this, words);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}

/**
 * The lists of a page are loaded at the same time; documents that are requested while a batch is loaded form the next batch, so
 * that their number depends on the time that each list takes.
 */
const isBatch = (statement: string) => /(?:FROM|JOIN) (?:addon|version)_document\b.*(?:ANY|known)/s.test(statement);

/** Pages have at most this number of lists, with one batch of documents each. */
const MAX_BATCHES = 6;

/** The same for other loaders, of which a page has two batches at most: how often each statement is repeated. */
const MAX_REPEATED = 2;

/** A list that responds early may load objects for another one, whose statement is then missing. */
const MAX_RACED = 2;

/** How often each statement that loads no documents is sent; lists of parameters may have any length. */
function timesOf(statements: readonly string[]): ReadonlyMap<string, number> {
  const others = statements.filter((statement) => !isBatch(statement));
  const alike = Map.groupBy(others, (statement) => statement.replace(/\$\d+(?:, ?\$\d+)*/g, '$'));
  return new Map([...alike].map(([statement, { length }]) => [statement, length]));
}

/** Whether a page with few items and the same page with many send the same statements, but for those that race. */
export function areConstant(few: readonly string[], many: readonly string[]): boolean {
  const [timesOfFew, timesOfMany] = [timesOf(few), timesOf(many)];
  const isBounded = [few, many].every((statements) => statements.filter(isBatch).length <= MAX_BATCHES);
  const isRepeated = [...timesOfMany].some(
    ([statement, times]) => times > Math.max(MAX_REPEATED, timesOfFew.get(statement) ?? 0),
  );
  return isBounded && !isRepeated && Math.abs(timesOfFew.size - timesOfMany.size) <= MAX_RACED;
}
