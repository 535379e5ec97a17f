import { hash } from 'node:crypto';
import { config } from '../../config.ts';
import { UnavailableError } from '../../errors.ts';
import { updateChecks } from '../../infra/metrics.ts';
import { addSubscriber, confirmedTime, type Subscriber } from '../../infra/notifications.ts';
import { SecondChanceCache } from '../../infra/second-chance-cache.ts';
import { type CountedChecks, countCheck } from './count-checks.ts';
import { type FoundUpdate, findUpdate } from './find-updates.ts';
import { readUpdateCheck, type UpdateCheck } from './read-check.ts';

/** A response in memory. */
interface CachedValue<Value> {
  value: Value;
  /** When the look-up began, as `performance.now()`. */
  since: number;
}

/** Even without a notification, a response is used no longer than this while the database responds. */
const MAX_AGE_MS = 600_000;
/** With more changes in this time, all responses are dropped. */
const MAX_CHANGES = 100_000;
/** Bytes that an entry takes in addition to its texts. */
const OVERHEAD = 400;
/** Share of the memory that ids without updates may take. */
const UNKNOWN_SHARE = 1 / 8;

/**
 * Results of update checks in memory, of at most `bytes`. Ids without updates, of which clients can make up any number, have memory of
 * their own. A change makes the results of its add-on outdated that were looked up before it arrived.
 */
export class UpdateResponseCache<Value extends { size: number }> {
  readonly #known: SecondChanceCache<string, CachedValue<Value>>;
  readonly #unknown: SecondChanceCache<string, number>;
  /** When the newest change of an add-on arrived, by guid in lower case, the oldest first. */
  readonly #changes = new Map<string, number>();
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor(bytes: number) {
    this.#known = new SecondChanceCache(bytes * (1 - UNKNOWN_SHARE));
    this.#unknown = new SecondChanceCache(bytes * UNKNOWN_SHARE);
  }

  /**
   * The result of an add-on for a variant of the check as of `time`; null when the id is without updates, undefined when none is cached.
   */
  get(guid: string, variant: string, time = performance.now()): Value | null | undefined {
    const cached = this.#known.get(`${guid} ${variant}`);
    if (cached !== undefined && this.#isCurrent(guid, cached.since, time)) return cached.value;
    const since = this.#unknown.get(guid);
    return since !== undefined && this.#isCurrent(guid, since, time) ? null : undefined;
  }

  /** Holds a result; null for an id without updates. `since` is when the look-up began. */
  set(guid: string, variant: string, value: Value | null, since: number): void {
    if (!this.#isCurrent(guid, since, performance.now())) return;
    const key = `${guid} ${variant}`;
    if (value === null) this.#unknown.set(guid, since, guid.length + OVERHEAD);
    else this.#known.set(key, { value, since }, key.length + value.size + OVERHEAD);
  }

  #isCurrent(guid: string, since: number, time: number): boolean {
    if (since <= this.#droppedAt || time - since > MAX_AGE_MS) return false;
    const changed = this.#changes.size === 0 ? undefined : this.#changes.get(guid);
    return changed === undefined || since > changed;
  }

  /** Makes the results of an add-on outdated. */
  change(guid: string): void {
    const now = performance.now();
    this.#changes.delete(guid);
    this.#changes.set(guid, now);
    for (const [oldest, changed] of this.#changes) {
      if (now - changed <= MAX_AGE_MS) break;
      this.#changes.delete(oldest);
    }
    if (this.#changes.size > MAX_CHANGES) this.drop();
  }

  /** Makes all results outdated. */
  drop(): void {
    this.#droppedAt = performance.now();
    this.#changes.clear();
  }
}

/** A response to an update check. */
export interface UpdateResponse {
  /** JSON. */
  body: string;
  /** Null for an invalid request, whose status is 400. */
  etag: string | null;
}

/** The response to the first request for an add-on, and the id as spelled in that request. */
interface CachedResponse extends CountedChecks {
  id: string;
  response: UpdateResponse;
  /** In bytes. */
  size: number;
}

const NOTHING = '{}';
const INVALID: UpdateResponse = { body: NOTHING, etag: null };
const UNKNOWN = withEtag(NOTHING);

const MEGABYTE = 1024 * 1024;

/** A change must be visible within 5 s, though the connection that announces it may be lost. */
const TRUST_MS = 4_000;

let memory: UpdateResponseCache<CachedResponse> | undefined;
const cache = (): UpdateResponseCache<CachedResponse> => {
  memory ??= new UpdateResponseCache(config.UPDATE_MEMORY_MB * MEGABYTE);
  return memory;
};

const held = updateChecks.labels('memory');
const lookedUp = updateChecks.labels('database');
/** These are in `database` as well, whose look-up failed. */
const heldInOutage = updateChecks.labels('memory_in_outage');

/** The look-ups that run, by id and variant. A look-up from before a change must not serve requests after it. */
const running = new Map<string, Promise<CachedResponse | null>>();

/** The triggers of `prisma/definitions/update-notifications.sql` announce guids, or an empty text for a bulk load. */
const changes: Subscriber = {
  notify: (guid) => {
    running.clear();
    if (guid === '') cache().drop();
    else cache().change(guid.toLowerCase());
  },
  restart: () => cache().drop(),
};

/** Whether an id can be one of an add-on; others need no look-up. */
const isPossibleId = (id: string): boolean => id.length <= 255 && !id.includes('\0') && id.isWellFormed();

/** PostgreSQL and JavaScript agree on the lower case of these. Responses for other ids are not cached. */
const PLAIN_ID = /^[\x20-\x7e]+$/;

/**
 * The response to the query of an update check, at once when it is cached in memory. Counts periodic checks of known add-ons; `sender`
 * returns the address of the client, null for requests that do not count.
 * @throws {UnavailableError} (the promise) during an outage of the database, when none was cached before it.
 */
export function respondToCheck(query: string, sender: () => string | null): UpdateResponse | Promise<UpdateResponse> {
  const check = readUpdateCheck(query);
  if (check === null) return INVALID;
  if (!isPossibleId(check.id)) return UNKNOWN;
  const guid = check.id.toLowerCase();
  const variant = `${check.app} ${check.code} ${check.mode}`;
  const now = performance.now();
  const isTrusted = now - confirmedTime() < TRUST_MS;
  const first = isTrusted ? cache().get(guid, variant) : undefined;
  const address = check.isPeriodic && config.UPDATE_STATISTICS ? sender() : null;
  if (first !== undefined) {
    held.inc();
    return respond(check, first, address, now);
  }
  lookedUp.inc();
  return lookUp(check, guid, variant)
    .catch((error: unknown) => resultInOutage(error, guid, variant))
    .then((found) => respond(check, found, address, now));
}

/** What was current when the database last responded. Throws the error of the look-up when there is nothing, or no outage. */
function resultInOutage(error: unknown, guid: string, variant: string): CachedResponse | null {
  const cached = error instanceof UnavailableError ? cache().get(guid, variant, confirmedTime()) : undefined;
  if (cached === undefined) throw error;
  heldInOutage.inc();
  return cached;
}

/** `address` is null for a check that does not count. */
function respond(
  check: UpdateCheck,
  first: CachedResponse | null,
  address: string | null,
  now: number,
): UpdateResponse {
  if (first === null) return UNKNOWN;
  if (address !== null) countCheck(first, check.version, address, now);
  return responseFor(check.id, first);
}

function lookUp(check: UpdateCheck, guid: string, variant: string): Promise<CachedResponse | null> {
  addSubscriber('addon_updates', changes);
  if (!PLAIN_ID.test(check.id)) return findUpdate(check).then((found) => cachedResponse(check, found));
  const key = `${guid} ${variant}`;
  const found = running.get(key) ?? find(check, guid, variant).finally(() => running.delete(key));
  running.set(key, found);
  return found;
}

async function find(check: UpdateCheck, guid: string, variant: string): Promise<CachedResponse | null> {
  const since = performance.now();
  const first = cachedResponse(check, await findUpdate(check));
  cache().set(guid, variant, first, since);
  return first;
}

const START = '{"addons":{';

function cachedResponse({ id, app }: UpdateCheck, found: FoundUpdate | null): CachedResponse | null {
  if (found === null) return null;
  const updates = JSON.stringify(found.entry === null ? [] : [found.entry]);
  const response = withEtag(`${START}${JSON.stringify(id)}:{"updates":${updates}}}}`);
  return { id, addonId: found.addonId, app, first: null, others: null, response, size: response.body.length };
}

/** The response with the id spelled as in the request: browsers ignore one whose id differs. */
function responseFor(id: string, first: CachedResponse): UpdateResponse {
  if (first.id === id) return first.response;
  const rest = first.response.body.slice(START.length + JSON.stringify(first.id).length);
  return withEtag(START + JSON.stringify(id) + rest);
}

function withEtag(body: string): UpdateResponse {
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
}
