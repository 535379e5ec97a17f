import pg from 'pg';

type Query = { text?: string } | string;

/**
 * Statements that are not counted: those of transactions, and those that run periodically (the read-only switch every few seconds,
 * search statistics every ten minutes, counts of downloads and update checks seconds after the first
 * one, and the pings of listeners and of workers).
 */
const UNCOUNTED =
  /^(begin|commit|rollback|set |deallocate)|"?service_state"?|pg_stats|download_count|update_check_count|^listen |listener_ping|^select$/i;

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
