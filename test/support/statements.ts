import pg from 'pg';

/** What a client of the database is asked, as far as it is one of ours. */
type Query = { text?: string } | string;

/**
 * What opens and ends transactions, and what falls due at any moment: the look at the read-only switch every half second and
 * that at the statistics of the search every ten minutes, and the numbers of downloads, a second after the first of them.
 */
const OF_NO_ACCOUNT = /^(begin|commit|rollback|set |deallocate)|"?service_state"?|pg_stats|download_count/i;

/**
 * Runs `work` and returns the texts of the SQL statements that the whole process sent meanwhile, for the work.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...words: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function counted(this: unknown, ...words: unknown[]) {
    const [first] = words as [Query];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    if (text !== '' && !OF_NO_ACCOUNT.test(text.trim())) statements.push(text);
    return query.apply(this, words);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}
