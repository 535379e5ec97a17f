import { hash } from 'node:crypto';
import { type FoundUpdate, findUpdate } from './find-updates.ts';
import { readUpdateCheck } from './read-check.ts';

/** A response to an update check. */
export interface UpdateResponse {
  /** JSON. */
  body: string;
  /** Null for an invalid request, whose status is 400. */
  etag: string | null;
}

const NOTHING = '{}';
const INVALID: UpdateResponse = { body: NOTHING, etag: null };

/** Whether an id can be one of an add-on; others need no look-up. */
const isPossibleId = (id: string): boolean => id.length <= 255 && !id.includes('\0') && id.isWellFormed();

/** The response to the query of an update check. Rejects with UnavailableError during an outage of the database. */
export async function respondToCheck(query: string): Promise<UpdateResponse> {
  const check = readUpdateCheck(query);
  if (check === null) return INVALID;
  const found = isPossibleId(check.id) ? await findUpdate(check) : null;
  return responseOf(check.id, found);
}

/** Browsers ignore a response whose id differs from theirs in a letter. */
function responseOf(id: string, found: FoundUpdate | null): UpdateResponse {
  const updates = found?.entry ? [found.entry] : [];
  const body = found === null ? NOTHING : JSON.stringify({ addons: { [id]: { updates } } });
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
}
