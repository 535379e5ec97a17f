/*
 * Add-ons of lists as the JSON that they were sent as: to make one costs many times what it costs to look up whether it has
 * changed, and lists show the same add-ons over and over. Each is kept with the name of the state that it was made from, and
 * whoever is sent it has learnt a moment ago that this is the present one.
 */
import { RecentlyUsed } from '../infra/recently-used.ts';

/** In bytes. */
const MOST_TOGETHER = 12 * 1024 * 1024;
/** In bytes: what a text takes beside its own and its name. */
const OVERHEAD = 300;

interface KeptText {
  /** The state that it was made from. */
  revision: string;
  text: Buffer;
}

const kept = new RecentlyUsed<string, KeptText>(MOST_TOGETHER);

/** The text that is kept under a name, if it was made from this state. */
export function keptText(name: string, revision: string | null): Buffer | null {
  const found = kept.get(name);
  return found !== undefined && found.revision === revision ? found.text : null;
}

/** Keeps a text, in place of the one that is kept under this name. */
export function keepText(name: string, revision: string, text: Buffer): void {
  kept.set(name, { revision, text }, text.length + name.length + OVERHEAD);
}
