import { z } from 'zod';
import { config } from '../../../config.ts';
import { askSearchServer } from '../../../infra/search-server/ask.ts';
import { SearchServerError, SearchServerRefusal } from '../../../infra/search-server/errors.ts';
import { writeAlias } from './index-list.ts';

/** An add-on as it is to be in an index; without a body it is not to be there. */
export interface IndexChange {
  id: number;
  rev: string;
  body: string | null;
}

const MOST_BYTES = 5_000_000;
/** A single add-on is written at once or not at all: others wait behind it. */
const SINGLE_MS = 10_000;

/**
 * Writes changes into an index. Older ones never overwrite newer ones, whoever comes first.
 * @throws {SearchServerError} when it has to be done again later, with all of them; SearchServerRefusal for a document that
 *   the index does not take.
 */
export async function bulkWrite(index: string, changes: readonly IndexChange[]): Promise<void> {
  let lines: string[] = [];
  let bytes = 0;
  const flush = async () => {
    if (lines.length > 0) await send(index, lines, changes.length === 1);
    lines = [];
    bytes = 0;
  };
  for (const { id, rev, body } of changes) {
    const meta = `{"_id":"${id}","version":${rev},"version_type":"external_gte"}`;
    lines.push(...(body === null ? [`{"delete":${meta}}`] : [`{"index":${meta}}`, body]));
    bytes += body?.length ?? 0;
    if (bytes > MOST_BYTES) await flush();
  }
  await flush();
}

const item = z.object({ status: z.number().int(), error: z.object({ type: z.string() }).optional() });
const answer = z.object({
  errors: z.boolean(),
  items: z.array(z.union([z.object({ index: item }), z.object({ delete: item })])),
});

async function send(index: string, lines: string[], isSingle: boolean): Promise<void> {
  const { SEARCH_WRITE_TIMEOUT_MS: wait } = config;
  const deadline = AbortSignal.timeout(isSingle ? Math.min(SINGLE_MS, wait) : wait);
  const path = `/${writeAlias(index)}/_bulk`;
  const query = { require_alias: true };
  const parsed = answer.safeParse(await askSearchServer({ method: 'POST', path, query, lines, deadline }));
  if (!parsed.success) throw new SearchServerError('answers something else than what became of a write');
  if (!parsed.data.errors) return;
  for (const each of parsed.data.items) {
    if ('index' in each) requireWritten(each.index);
    // What was not there has not to be removed.
    else if (each.delete.status !== 404 || each.delete.error !== undefined) requireWritten(each.delete);
  }
}

/** A conflict is good news: somebody has written something newer. */
function requireWritten({ status, error }: z.output<typeof item>): void {
  if (status < 300 || status === 409) return;
  const type = error?.type ?? 'no reason';
  if (status === 400) throw new SearchServerRefusal(`An index does not take a document: ${type}`);
  throw new SearchServerError(`does not write (${status}, ${type})`, { isMissing: status === 404 });
}
