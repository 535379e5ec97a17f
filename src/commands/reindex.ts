import { reindex, rollBack } from '../domain/search/elasticsearch/reindex.ts';
import { IndexGapError } from '../domain/search/elasticsearch/verify-index.ts';
import { SearchServerError } from '../infra/search-server/errors.ts';
import { hasSearchServer } from '../infra/search-server/send-request.ts';
import { CommandError, type Invocation } from './command.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

/**
 * Rebuilds the index on the search server, or returns to the previous one.
 * @throws {CommandError} when that fails; the live index stays unchanged.
 */
export async function runReindex(invocation: Invocation): Promise<void> {
  if (!hasSearchServer()) throw new CommandError('there is no search server: ELASTICSEARCH_URL is not set');
  const work = invocation.flag('roll-back') ? goBack : rebuild;
  try {
    await withDatabase(work);
  } catch (error) {
    if (error instanceof SearchServerError || error instanceof IndexGapError) throw new CommandError(error.message);
    throw error;
  }
}

async function rebuild(): Promise<void> {
  const started = performance.now();
  const rebuilt = await reindex();
  if (rebuilt === null) throw new CommandError('another process is building an index already');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`${rebuilt.name} is searched now: ${rebuilt.documents} add-ons in ${seconds} s.`);
}

async function goBack(): Promise<void> {
  const name = await rollBack();
  if (name === null) throw new CommandError('there is no index to go back to');
  print(`${name} is searched again.`);
}
