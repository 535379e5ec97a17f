/* Random requests of random clients, and update checks. */
import type { Random } from '../../bench/world/random.ts';
import { browserQuery, pathOf } from '../support/updates.ts';
import type { CacheWorld, Identity, Target } from './cache-world.ts';

const LANGUAGES = ['en-US', 'de'];
const SHARE_OF_ODD_HEADERS = 0.03;
const CHECKED_ADDONS = 5;
/** Half of the requests are for some addresses, which change after some requests: so all clients request them while they are kept. */
const POPULAR = { addresses: 8, requests: 400, share: 0.5 };
const SIGNED_IN = /^(?!anonymous|invalid)/;

/** Checks as browsers send them: everything but the four parameters of the key varies. */
export function checksOf({ guids }: CacheWorld): ((random: Random) => string)[] {
  const each = [...guids.slice(0, CHECKED_ADDONS), 'unknown@example.org'];
  return each.flatMap((guid) =>
    ['153.7', '128.0'].map(
      (appVersion) => (random: Random) =>
        pathOf({
          ...{ ...browserQuery(guid), appVersion },
          version: random.pick(['1.0', '1.1', '2.0']),
          appOS: random.pick(['Linux', 'WINNT', 'Darwin']),
          locale: random.pick(['en-US', 'de', 'he']),
          updateType: random.pick(['97', '112']),
        }),
    ),
  );
}

/** A request, and what its response depends on. */
export interface Draw {
  target: Target;
  identity: Identity;
  headers(): Record<string, string>;
  /** Whether it has credentials. */
  isPrivate: boolean;
  /** Whether the response may be that of a client without credentials. */
  isStranger: boolean;
  /** Equal for requests that must get the same response. */
  key: string;
}

/** Headers that must not change what others get. Responses to them are not compared. */
const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-proto': 'gopher' },
  { range: 'bytes=0-9' },
  { 'if-none-match': '"unknown"' },
  { accept: 'application/json' },
  { 'accept-encoding': 'gzip' },
  { 'cache-control': 'max-stale=100000' },
];

/** A random request, the nth one. Clients with a session do not end it. */
export function drawRequest(world: CacheWorld, random: Random, n: number): Draw {
  const { host, targets, identities } = world;
  const identity = random.pick(identities);
  const target = random.chance(POPULAR.share) ? popular(targets, random, n) : random.pick(targets);
  if (target.endsSession && SIGNED_IN.test(identity.api)) return drawRequest(world, random, n);
  const language = random.pick(LANGUAGES);
  const odd = random.chance(SHARE_OF_ODD_HEADERS) ? random.pick(ODD_HEADERS) : null;
  const viewer = /^\/(?:api|graphql|downloads|themes)(?:[/?]|$)/.test(target.path) ? identity.api : identity.page;
  return {
    ...{ target, identity },
    headers: () => ({ host, 'accept-language': language, ...odd, ...identity.headers() }),
    isPrivate: Object.keys(identity.headers()).length > 0,
    isStranger: viewer === 'anonymous' || viewer === 'invalid cookie',
    key: odd === null ? `${target.method} ${target.path} as ${viewer} in ${language}` : '',
  };
}

function popular(targets: readonly Target[], random: Random, n: number): Target {
  const first = Math.floor(n / POPULAR.requests) * POPULAR.addresses;
  return targets[(first + random.between(1, POPULAR.addresses)) % targets.length] as Target;
}

/** Queries that the service reads as another check than a cache may. */
export const MISLEADING: ((query: string) => string)[] = [
  (query) => `${query}&id=other@example.org`,
  (query) => `${query}&%69d=other@example.org`,
  (query) => `ID=x&${query}`,
  (query) => `${query.replace('compatMode=normal', 'compatmode=normal')}`,
  (query) => `${query.replace('compatMode=normal', 'compatMode=')}`,
  (query) => `${query}&compatMode`,
  (query) => `${query}&appVersion=1.0`,
  (query) => `${query}#&id=other@example.org`,
  (query) => `${query}?&id=other@example.org`,
  (query) => `id=other@example.org#&${query}`,
];
