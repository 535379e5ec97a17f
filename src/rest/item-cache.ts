/*
 * A cache of serialized add-ons. Serializing an add-on costs many times what checking its revision costs, and lists return the same
 * add-ons over and over. Entries are only valid for the revision that the database returned for the present request.
 */

import type { Params } from '../http/params.ts';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';
import { variantKey } from './revision-etag.ts';
import type { Input } from './route.ts';

/** In bytes. */
const MAX_BYTES = 12 * 1024 * 1024;
/** Estimated memory of an entry without its key and JSON, in bytes. */
const ENTRY_BYTES = 300;

interface Entry {
  revision: string;
  json: Buffer;
}

const cache = new SecondChanceCache<string, Entry>(MAX_BYTES);

/** Encodes a text in memory of its own. A slice of Node's pool would keep the whole pool in memory as long as it is cached. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Input of a route that ignores credentials, so that all clients get the same JSON. The cache is closed to other routes. */
export type PublicInput = Pick<Input<Params, Params, 'ignored'>, 'signIn' | 'view' | 'locale'>;

/** The cached add-ons for one response. What `has` found stays available to `json`, even if the cache evicts it. */
export class CachedItems {
  readonly #keyEnd: string;
  readonly #found = new Map<number, Buffer>();

  constructor({ view, locale }: PublicInput) {
    this.#keyEnd = `${view.apiVersion} ${view.wrapsLinks} ${view.lang ?? ''} ${variantKey(locale)}`;
  }

  /** Whether the JSON of an add-on is cached for this revision. */
  has(id: number, revision: string): boolean {
    const entry = cache.get(this.#keyOf(id));
    if (entry?.revision !== revision) return false;
    this.#found.set(id, entry.json);
    return true;
  }

  /** The JSON of an add-on that `has` found, or that was added. */
  json(id: number): Buffer {
    const json = this.#found.get(id);
    if (json === undefined) throw new Error(`the JSON of add-on ${id} is missing`);
    return json;
  }

  /** Adds the JSON of an add-on. One without a revision is not cached. */
  add(id: number, revision: string | null, text: string): void {
    const json = unpooled(text);
    this.#found.set(id, json);
    const key = this.#keyOf(id);
    if (revision !== null) cache.set(key, { revision, json }, json.length + key.length + ENTRY_BYTES);
  }

  #keyOf(id: number): string {
    return `${id} ${this.#keyEnd}`;
  }
}
