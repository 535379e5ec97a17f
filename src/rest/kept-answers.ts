/*
 * Large answers to anonymous readers are kept as they were sent, each under the address that it answers. Its tag names the
 * state that it was made from, and whoever is sent it has learnt a moment ago that this is the present one: what spares a
 * reader the transfer (304) spares this process the making. A page of add-ons costs ten times as much to make as to
 * look up whether it has changed; what is small is made about as fast.
 */

/** An answer as it is sent. */
export interface KeptAnswer {
  tag: string;
  payload: Buffer;
  maxAge: number | undefined;
}

/** In characters: what is shorter is made about as fast as it is looked up. */
export const LEAST_KEPT = 16 * 1024;
/** In bytes. */
const MOST_TOGETHER = 16 * 1024 * 1024;
/** In characters: longer addresses are not asked for twice. */
const LONGEST_ADDRESS = 512;

/** By address; the least recently used is the first. */
const kept = new Map<string, KeptAnswer>();
let held = 0;

/** The answer that is kept under an address, of whatever state. */
export function keptAnswer(address: string): KeptAnswer | null {
  const answer = kept.get(address);
  if (answer === undefined) return null;
  kept.delete(address);
  kept.set(address, answer);
  return answer;
}

/** Keeps an answer, in place of the one that is kept under this address. */
export function keepAnswer(address: string, answer: KeptAnswer): void {
  const { length } = answer.payload;
  if (address.length > LONGEST_ADDRESS) return;
  held += length - (kept.get(address)?.payload.length ?? 0);
  kept.delete(address);
  kept.set(address, answer);
  for (const [oldest, { payload }] of kept) {
    if (held <= MOST_TOGETHER) return;
    kept.delete(oldest);
    held -= payload.length;
  }
}
