import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { config } from '../config.ts';
import { ThrottledError } from '../errors.ts';
import { databaseClosed, pool } from './db.ts';
import { networkOf } from './network.ts';

/** At most `points` events in `seconds`, counted per account, address or key. */
interface RateLimit {
  what: string;
  per: string;
  points: number;
  seconds: number;
}

const ADDRESS = 'address (IPv6: /64)';
const SENDER = `account, or ${ADDRESS}`;

/**
 * Every rate limit of the service; docs/limits.md prints this table. All processes share the counts, in the database.
 * The limits of failed sign-ins are far above the mistakes of a working client.
 */
export const RATE_LIMITS = {
  'upload-minute': { what: 'uploads of versions and of their source code', per: 'account', points: 6, seconds: 60 },
  'upload-hour': { what: 'uploads of versions and of their source code', per: 'account', points: 50, seconds: 3600 },
  'submission-write-minute': { what: 'other writes of API v5', per: 'account', points: 30, seconds: 60 },
  'submission-write-hour': { what: 'other writes of API v5', per: 'account', points: 300, seconds: 3600 },
  'update-address-hour': { what: 'new update addresses', per: 'account', points: 60, seconds: 3600 },
  'author-invitation-day': { what: 'invitations of authors', per: 'account', points: 50, seconds: 86_400 },
  'picture-minute': { what: 'pictures', per: 'account', points: 60, seconds: 60 },
  'review-note-minute': { what: 'notes and replies of reviews', per: 'account', points: 30, seconds: 60 },
  'rating-hour': { what: 'changes of ratings, replies and flags', per: 'account', points: 120, seconds: 3600 },
  'rating-address-hour': { what: 'changes of ratings, replies and flags', per: ADDRESS, points: 600, seconds: 3600 },
  'abuse-report-day': {
    what: 'abuse reports',
    per: 'account, or address of anonymous clients (IPv6: /64)',
    points: 20,
    seconds: 86_400,
  },
  'sign-in-start': {
    what: 'started sign-ins',
    per: 'account of the page session, or address (IPv6: /64)',
    points: 30,
    seconds: 60,
  },
  'failed-authenticate': { what: 'failed returns from the identity provider', per: ADDRESS, points: 30, seconds: 60 },
  'publisher-token': { what: 'exchanges of ID tokens for keys', per: ADDRESS, points: 60, seconds: 60 },
  'account-edit-minute': { what: 'changes to accounts', per: 'account', points: 60, seconds: 60 },
  'collection-change-minute': { what: 'changes to collections', per: 'account', points: 120, seconds: 60 },
  'api-search': {
    what: 'searches and completions by REST and GraphQL, counted by each process',
    per: ADDRESS,
    points: 600,
    seconds: 60,
  },
  'page-search': { what: 'pages of search', per: SENDER, points: 120, seconds: 60 },
  'page-suggest': { what: 'suggestions', per: SENDER, points: 300, seconds: 60 },
  'page-code': { what: 'pages of code', per: SENDER, points: 60, seconds: 60 },
  'page-preferences': { what: 'changes of preferences', per: SENDER, points: 30, seconds: 60 },
  'page-form': { what: 'forms of pages', per: SENDER, points: 60, seconds: 60 },
  'page-key': { what: 'new API keys on pages', per: 'account', points: 10, seconds: 3600 },
  'page-own-data': { what: 'files with the data of an account', per: 'account', points: 10, seconds: 3600 },
  'page-events': { what: 'streams of events', per: SENDER, points: 60, seconds: 60 },
  'csp-report': { what: 'reports of violated policies', per: ADDRESS, points: 60, seconds: 60 },
  'failed-sign-in-address': { what: 'failed sign-ins', per: ADDRESS, points: 600, seconds: 60 },
  'failed-sign-in-key': { what: 'failed sign-ins', per: 'API key', points: 300, seconds: 60 },
} as const satisfies Record<string, RateLimit>;

export type LimitName = keyof typeof RATE_LIMITS;

/** The limits of `countSubmissionWrite`, whose counts can be taken back. */
const SUBMISSION_WRITE = ['submission-write-minute', 'submission-write-hour'] as const;

const isTakenBack = (name: LimitName): boolean => SUBMISSION_WRITE.some((limit) => limit === name);

/** How long expired rows are kept, and how often they are removed. */
const KEEP_EXPIRED_MS = 3_600_000;
const REMOVE_EXPIRED_MS = 300_000;

const sharedCounters = new Map<LimitName, RateLimiterPostgres>();
const localCounters = new Map<LimitName, RateLimiterMemory>();

function once<Counter>(counters: Map<LimitName, Counter>, name: LimitName, make: () => Counter): Counter {
  const counter = counters.get(name) ?? make();
  counters.set(name, counter);
  return counter;
}

const settingsOf = (name: LimitName) => ({
  keyPrefix: name,
  points: RATE_LIMITS[name].points,
  duration: RATE_LIMITS[name].seconds,
});

/**
 * The counter of all processes. One limiter removes the expired rows of all, which share a table. A key above its limit is
 * refused in this process until its time is over, without a statement.
 */
function shared(name: LimitName): RateLimiterPostgres {
  const table = { storeClient: pool, storeType: 'pool', tableName: 'rate_limit', tableCreated: true };
  const isFirst = sharedCounters.size === 0;
  // Counts that are taken back change in the database only.
  const inMemoryBlockOnConsumed = isTakenBack(name) ? 0 : RATE_LIMITS[name].points + 1;
  const options = { ...table, ...settingsOf(name), inMemoryBlockOnConsumed, clearExpiredByTimeout: false };
  const counter = once(sharedCounters, name, () => new RateLimiterPostgres(options));
  if (isFirst) removeExpiredRegularly();
  return counter;
}

/** Removes expired rows until the database is closed; the timer of the library would never end. */
function removeExpiredRegularly(): void {
  const remove = () => pool.query('DELETE FROM rate_limit WHERE expire < $1', [Date.now() - KEEP_EXPIRED_MS]);
  // Rows that stay are removed by the next attempt.
  const timer = setInterval(() => void remove().catch(() => {}), REMOVE_EXPIRED_MS).unref();
  databaseClosed.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** The counter of this process, which refuses without a statement. */
function local(name: LimitName): RateLimiterMemory {
  return once(localCounters, name, () => new RateLimiterMemory(settingsOf(name)));
}

function throttled({ msBeforeNext }: RateLimiterRes): ThrottledError {
  return new ThrottledError(Math.max(1, Math.ceil(msBeforeNext / 1000)));
}

/** A limiter rejects with its state when the limit is exceeded, with an error when it fails. */
function stateOf(problem: unknown): RateLimiterRes {
  if (problem instanceof RateLimiterRes) return problem;
  throw problem;
}

async function count(name: LimitName, key: string): Promise<void> {
  await shared(name)
    .consume(key)
    .catch((problem: unknown) => {
      throw throttled(stateOf(problem));
    });
}

/** Counts in this process first: a refusal there costs no statement. */
async function countFailure(name: LimitName, key: string): Promise<void> {
  try {
    await local(name).consume(key);
    await shared(name).consume(key);
  } catch (problem) {
    const refusal = throttled(stateOf(problem));
    await local(name).block(key, Number(refusal.details.retryAfter));
    throw refusal;
  }
}

/** Counts one search by an API for an address, in this process only: without a statement. @throws {ThrottledError} above the limit. */
export async function consumeSearchLimit(ip: string | null): Promise<void> {
  if (!config.RATE_LIMITS || ip === null) return;
  await local('api-search')
    .consume(networkOf(ip))
    .catch((problem: unknown) => {
      throw throttled(stateOf(problem));
    });
}

/** Counts one event of a limit for an account id, an address (`networkOf`) or another key. @throws {ThrottledError} above it. */
export async function consumeLimit(name: LimitName, key: string | number): Promise<void> {
  if (config.RATE_LIMITS) await count(name, String(key));
}

/** Counts an upload of this account. @throws {ThrottledError} above the limit. */
export async function consumeUploadLimit(accountId: number): Promise<void> {
  for (const name of ['upload-minute', 'upload-hour'] as const) await consumeLimit(name, accountId);
}

/**
 * Counts a write of the submission API for this account. Returns the function that takes the count back, for a write that
 * is refused.
 * @throws {ThrottledError} above the limit.
 */
export async function countSubmissionWrite(accountId: number): Promise<() => Promise<void>> {
  if (!config.RATE_LIMITS) return async () => {};
  const key = String(accountId);
  const counted: LimitName[] = [];
  const takeBack = async () => {
    for (const name of counted) await shared(name).reward(key);
  };
  for (const name of SUBMISSION_WRITE) {
    counted.push(name);
    try {
      await count(name, key);
    } catch (error) {
      await takeBack();
      throw error;
    }
  }
  return takeBack;
}

let signatures: RateLimiterMemory | undefined;

/** Counts a signature for the certificate of this client. Returns whether it is within SIGNER_RATE. */
export async function countSignature(client: string): Promise<boolean> {
  signatures ??= new RateLimiterMemory({ points: config.SIGNER_RATE, duration: 60 });
  return signatures.consume(client).then(
    () => true,
    () => false,
  );
}

/**
 * Counts a failed sign-in from this address and with this API key. Valid credentials are not counted, so an attacker cannot lock out
 * others at the same address nor the owner of the key.
 * @throws {ThrottledError} above the limit, instead of the 401.
 */
export async function countFailedSignIn(ip: string | null, apiKey: string | null): Promise<void> {
  if (!config.RATE_LIMITS) return;
  if (apiKey !== null) await countFailure('failed-sign-in-key', apiKey);
  if (ip !== null) await countFailure('failed-sign-in-address', networkOf(ip));
}
