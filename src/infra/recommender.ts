/*
 * Client of the operator's recommendation service: GET <RECOMMENDATION_URL>/<guid>/ returns {"results": [guid, …]}, best
 * first. Duration and size of a response are limited.
 */
import { config } from '../config.ts';
import { boundedBody } from './bounded-body.ts';

/** For request and response, including the body. */
const TIMEOUT_MS = 1_000;
const MAX_BYTES = 256 * 1024;
const MAX_GUID_LENGTH = 255;

/** The service's guids, best first, or that it failed to respond correctly in time. */
type Recommendations = { kind: 'guids'; guids: string[] } | { kind: 'failed' };

/** Whether a recommendation service is configured. */
export function hasRecommender(): boolean {
  return config.RECOMMENDATION_URL !== undefined;
}

/**
 * Fetches the recommendations for an add-on. `guid` is encoded as one path segment, so it cannot address another resource.
 * Never throws and takes at most one second.
 */
export async function fetchRecommendations(guid: string): Promise<Recommendations> {
  const address = `${config.RECOMMENDATION_URL}/${encodeURIComponent(guid)}/`;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(address, {
      signal,
      redirect: 'error',
      headers: { Accept: 'application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { kind: 'failed' };
    }
    return { kind: 'guids', guids: guidsIn((await boundedBody(response.body, MAX_BYTES)).toString('utf8')) };
  } catch {
    return { kind: 'failed' };
  }
}

/** @throws {Error} for a body that is not of the documented form. */
function guidsIn(text: string): string[] {
  const { results } = JSON.parse(text) as { results?: unknown };
  if (!Array.isArray(results)) throw new Error('The recommendation service sent no "results".');
  return results.filter((guid) => typeof guid === 'string' && guid.length <= MAX_GUID_LENGTH && !guid.includes('\0'));
}
