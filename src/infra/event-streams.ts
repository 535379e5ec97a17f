import { config } from '../config.ts';
import { ThrottledError } from '../errors.ts';
import { networkOf } from './network.ts';

/** After this time a refused client may try again, in seconds. A stream may end at any time. */
const RETRY_S = 10;

/** Open event streams of this process by network. */
const counts = new Map<string, number>();

/**
 * Counts an event stream of a client and returns what ends the count.
 * @throws {ThrottledError} when the network of the client has EVENT_STREAMS_PER_ADDRESS open streams.
 */
export function claimEventStream(ip: string | null): () => void {
  if (ip === null) return () => {};
  const network = networkOf(ip);
  const count = counts.get(network) ?? 0;
  if (count >= config.EVENT_STREAMS_PER_ADDRESS) throw new ThrottledError(RETRY_S);
  counts.set(network, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const rest = (counts.get(network) ?? 1) - 1;
    if (rest === 0) counts.delete(network);
    else counts.set(network, rest);
  };
}
