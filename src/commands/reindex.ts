import { OutdatedRowsError, reindex, rollBack } from '../domain/search/elasticsearch/reindex.ts';
import { IndexGapError } from '../domain/search/elasticsearch/verify-index.ts';
import { rebuildOutdatedRows, rebuildRows } from '../domain/search/postgres/maintain/rebuild-rows.ts';
import { SearchServerError } from '../infra/search-server/failures.ts';
import { hasSearchServer } from '../infra/search-server/send-request.ts';
import { CommandError, type Invocation, print, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/**
 * Rebuilds the rows of PostgreSQL's search or the index on the search server, or returns to the previous index.
 * @throws {CommandError} when that fails; the live index stays unchanged.
 */
export async function runReindex(invocation: Invocation): Promise<void> {
  if (invocation.flag('rows') && invocation.flag('roll-back'))
    throw new UsageError('reindex: --rows has no --roll-back');
  if (invocation.flag('rows')) return withDatabase(replaceRows);
  if (!hasSearchServer()) throw new CommandError('there is no search server: ELASTICSEARCH_URL is not set');
  const work = invocation.flag('roll-back') ? goBack : rebuild;
  try {
    await withDatabase(work);
  } catch (error) {
    const isExpected = [SearchServerError, IndexGapError, OutdatedRowsError].some((kind) => error instanceof kind);
    throw isExpected ? new CommandError((error as Error).message) : error;
  }
}

async function replaceRows(): Promise<void> {
  const started = performance.now();
  if ((await rebuildRows()) === null) throw new CommandError(ROWS_BUSY);
  print(`All add-ons are analysed again: ${secondsSince(started)} s.`);
}

const ROWS_BUSY = 'another process is analysing all add-ons already';
const secondsSince = (started: number) => ((performance.now() - started) / 1000).toFixed(1);

/** The index is made from the rows, so those of this release's analysis come first. */
async function rebuild(): Promise<void> {
  if ((await rebuildOutdatedRows()) === null) throw new CommandError(ROWS_BUSY);
  const started = performance.now();
  const rebuilt = await reindex();
  if (rebuilt === null) throw new CommandError('another process is building an index already');
  print(`${rebuilt.name} is searched now: ${rebuilt.documents} add-ons in ${secondsSince(started)} s.`);
}

async function goBack(): Promise<void> {
  const name = await rollBack();
  if (name === null) throw new CommandError('there is no index to go back to');
  print(`${name} is searched again.`);
}
