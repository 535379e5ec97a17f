import { z } from 'zod';
import { config } from '../../../config.ts';
import { SearchServerError, SearchServerRefusal } from '../../../infra/search-server/failures.ts';
import { sendSearchRequest } from '../../../infra/search-server/send-request.ts';
import { writeAlias } from './index-list.ts';

/** The desired state of an add-on in an index; without a body it is deleted. */
export interface IndexChange {
  id: number;
  rev: string;
  body: string | null;
}

const MAX_BYTES = 5_000_000;
/** Time limit for a single add-on, as other jobs wait behind it. */
const SINGLE_MS = 10_000;

/**
 * Writes changes to an index. Older revisions never overwrite newer ones, in any order of arrival.
 * @throws {SearchServerError} when all changes must be retried later; SearchServerRefusal for a document that
 *   the index refuses.
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
    if (bytes > MAX_BYTES) await flush();
  }
  await flush();
}

const item = z.object({ status: z.number().int(), error: z.object({ type: z.string() }).optional() });
const response = z.object({
  errors: z.boolean(),
  items: z.array(z.union([z.object({ index: item }), z.object({ delete: item })])),
});

async function send(index: string, lines: string[], isSingle: boolean): Promise<void> {
  const { SEARCH_WRITE_TIMEOUT_MS: wait } = config;
  const deadline = AbortSignal.timeout(isSingle ? Math.min(SINGLE_MS, wait) : wait);
  const path = `/${writeAlias(index)}/_bulk`;
  const query = { require_alias: true };
  const parsed = response.safeParse(await sendSearchRequest({ method: 'POST', path, query, lines, deadline }));
  if (!parsed.success) throw new SearchServerError('the response is not a bulk result');
  if (!parsed.data.errors) return;
  for (const each of parsed.data.items) {
    if ('index' in each) requireWritten(each.index);
    // Deleting a missing document is not an error.
    else if (each.delete.status !== 404 || each.delete.error !== undefined) requireWritten(each.delete);
  }
}

/** A version conflict means that a newer revision is already stored. */
function requireWritten({ status, error }: z.output<typeof item>): void {
  if (status < 300 || status === 409) return;
  const type = error?.type ?? 'no reason';
  if (status === 400) throw new SearchServerRefusal(`An index does not take a document: ${type}`);
  throw new SearchServerError(`does not write (${status}, ${type})`, { isMissing: status === 404 });
}
