/*
 * Asks the outside recommendation service, as far as the operator has one: GET <RECOMMENDATION_URL>/<guid>/ answers
 * {"results": [guid, …]}, the best first. The answer is no business of its length or slowness: both are bounded.
 */
import { config } from '../config.ts';

/** For the whole exchange, its body included. */
const BUDGET_MS = 1_000;
const MOST_BYTES = 256 * 1024;
/** A guid is no longer than this; what is longer is none. */
const LONGEST_GUID = 255;

/** What the service said: guids, best first, or that it did not answer as it should have, in time. */
export type Advice = { kind: 'guids'; guids: string[] } | { kind: 'failed' };

/** Whether there is a service to ask. */
export function hasRecommender(): boolean {
  return config.RECOMMENDATION_URL !== undefined;
}

/**
 * Asks which add-ons go with one. `guid` is encoded into one segment of the path, so that it names no other address. Never
 * throws: whatever goes wrong is a failure of the service, and takes at most one second.
 */
export async function askRecommender(guid: string): Promise<Advice> {
  const address = `${config.RECOMMENDATION_URL}/${encodeURIComponent(guid)}/`;
  const budget = AbortSignal.timeout(BUDGET_MS);
  try {
    const response = await fetch(address, {
      signal: budget,
      redirect: 'error',
      headers: { Accept: 'application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { kind: 'failed' };
    }
    return { kind: 'guids', guids: guidsIn(await readText(response)) };
  } catch {
    return { kind: 'failed' };
  }
}

/** @throws {Error} for a body that is too long, or breaks off. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error('The recommendation service sends too much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws {Error} for what is not the documented form. */
function guidsIn(text: string): string[] {
  const { results } = JSON.parse(text) as { results?: unknown };
  if (!Array.isArray(results)) throw new Error('The recommendation service answers without "results".');
  return results.filter((guid) => typeof guid === 'string' && guid.length <= LONGEST_GUID && !guid.includes('\0'));
}
