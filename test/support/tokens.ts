import { createHmac, randomUUID } from 'node:crypto';

/** A header that must be refused, and how. */
export interface HostileToken {
  name: string;
  /** The value of the Authorization header. */
  header: string;
  /** The text of the refusal, whole. */
  detail: string | RegExp;
  code?: 'ERROR_INVALID_HEADER' | 'ERROR_SIGNATURE_EXPIRED' | 'ERROR_DECODING_SIGNATURE';
}

export interface TokenMaker {
  key: string;
  secret: string;
  /** Seconds since 1970. */
  now: number;
}

const encode = (value: string | Buffer): string => Buffer.from(value as string).toString('base64url');
const json = (value: unknown): string => encode(JSON.stringify(value));

/** A JWS of any two parts, however wrong, signed with HMAC. */
export function signParts(header: string, payload: string, secret: string, algorithm = 'sha256'): string {
  return `${header}.${payload}.${createHmac(algorithm, secret).update(`${header}.${payload}`).digest('base64url')}`;
}

const HEADER = json({ alg: 'HS256', typ: 'JWT' });

/** A token as a well-behaved client makes it, `changes` on top of its claims; undefined leaves one out. */
export function makeToken({ key, secret, now }: TokenMaker, changes: Record<string, unknown> = {}): string {
  return signParts(HEADER, json({ iss: key, jti: randomUUID(), iat: now, exp: now + 60, ...changes }), secret);
}

const UNDECODABLE = { detail: 'Error decoding signature.', code: 'ERROR_DECODING_SIGNATURE' } as const;
const WRONG_TYPE = {
  detail: 'Wrong type for one or more keys in payload',
  code: 'ERROR_DECODING_SIGNATURE',
} as const;
const EMPTY = {
  detail: 'Invalid Authorization header. No credentials provided.',
  code: 'ERROR_INVALID_HEADER',
} as const;
const SPACES = {
  detail: 'Invalid Authorization header. Credentials string should not contain spaces.',
  code: 'ERROR_INVALID_HEADER',
} as const;
const NO_ISSUER = { detail: 'JWT iss (issuer) claim is missing.', code: 'ERROR_DECODING_SIGNATURE' } as const;
const TOO_LONG = { detail: 'JWT exp (expiration) is too long.' } as const;
const NOT_AFTER = { detail: 'JWT exp (expiration) is not after iat.' } as const;
const ORIGINAL = {
  detail: "API key based tokens are not refreshable, don't include `orig_iat` in their payload.",
  code: 'ERROR_DECODING_SIGNATURE',
} as const;
const UNKNOWN_BEARER = { detail: 'Incorrect authentication credentials.' } as const;

const missing = (name: string) =>
  ({ detail: `Invalid JWT: Token is missing the "${name}" claim.`, code: 'ERROR_DECODING_SIGNATURE' }) as const;

const SERVER_TIME = String.raw`Server time is \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, skew -?\d+ s\.`;
const EXPIRED = {
  detail: new RegExp(String.raw`^Signature has expired\. ${SERVER_TIME}$`),
  code: 'ERROR_SIGNATURE_EXPIRED',
} as const;
const FUTURE = {
  detail: new RegExp(
    String.raw`^JWT iat \(issued at time\) is invalid\. Make sure your system clock is synchronized with something like TLSdate\. ${SERVER_TIME}$`,
  ),
} as const;
const NOT_YET = { detail: new RegExp(String.raw`^Invalid JWT Token\. ${SERVER_TIME}$`) } as const;

type Refusal = Omit<HostileToken, 'name' | 'header'>;
type Row = [name: string, header: string, refusal: Refusal];

/**
 * Headers that no endpoint accepts, each with the exact answer. They are made with a key that is in force and its secret,
 * whose account is in good order, so that nothing but the flaw named is wrong. Each has a nonce of its own.
 */
export function hostileTokens(maker: TokenMaker): HostileToken[] {
  const rows = [
    ...headerRows(maker),
    ...shapeRows(maker),
    ...algorithmRows(maker),
    ...signatureRows(maker),
    ...issuerRows(maker),
    ...claimRows(maker),
    ...timeRows(maker),
    ...bearerRows(maker),
  ];
  return rows.map(([name, header, refusal]) => ({ name, header, ...refusal }));
}

function headerRows(maker: TokenMaker): Row[] {
  const good = makeToken(maker);
  return [
    ['JWT without a token', 'JWT', EMPTY],
    ['jwt without a token', 'jwt', EMPTY],
    ['JWT and blanks', 'JWT   ', EMPTY],
    ['Bearer without a token', 'Bearer', EMPTY],
    ['BEARER without a token', 'BEARER', EMPTY],
    ['two tokens', `JWT ${good} ${good}`, SPACES],
    ['a token in two pieces', `JWT ${good.slice(0, 40)} ${good.slice(40)}`, SPACES],
    ['a token and a parameter', `JWT ${good} realm="api"`, SPACES],
    ['two words after Bearer', 'Bearer a b', SPACES],
    ['a tab inside', `JWT ${good}\tx`, SPACES],
    ['two schemes', `JWT Bearer ${good}`, SPACES],
  ];
}

function shapeRows(maker: TokenMaker): Row[] {
  const good = makeToken(maker);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const { secret } = maker;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const signed = (name: string, head: string, body: string): Row => [
    name,
    `JWT ${signParts(head, body, secret)}`,
    UNDECODABLE,
  ];
  const plain = (name: string, token: string): Row => [name, `JWT ${token}`, UNDECODABLE];
  return [
    plain('one letter', 'x'),
    plain('a dot', '.'),
    plain('two dots', '..'),
    plain('three letters', 'a.b.c'),
    plain('the API secret itself', secret),
    plain('only a header', header),
    plain('no signature part', `${header}.${payload}`),
    plain('an empty signature', `${header}.${payload}.`),
    plain('an empty payload', `${header}..${signature}`),
    plain('an empty header', `.${payload}.${signature}`),
    plain('four parts', `${good}.${signature}`),
    plain('five parts', `${header}.${payload}.${signature}.${signature}.${signature}`),
    plain('a dot at the end', `${good}.`),
    plain('a comma for a dot', good.replace('.', ',')),
    plain('in quotes', `"${good}"`),
    plain('10,000 letters', 'A'.repeat(10_000)),
    plain('5,000 dots', '.'.repeat(5_000)),
    plain('letters outside ASCII', `${header}.${payload}.\u00e9\u00e9`),
    plain('JSON serialisation', JSON.stringify({ protected: header, payload, signature })),
    signed('a header that is no JSON', encode('{alg:HS256}'), payload),
    signed('a header that is an array', json(['HS256']), payload),
    signed('a header that is null', json(null), payload),
    signed('a header that is a text', json('HS256'), payload),
    signed('a header that is a number', json(256), payload),
    signed('an empty header object', json({}), payload),
    signed('a header in base64 with padding', Buffer.from('{"alg":"HS256"} ').toString('base64'), payload),
    signed('a payload that is no JSON', header, encode('iss')),
    signed('a payload cut off', header, encode(JSON.stringify(claims).slice(0, -1))),
    signed('a payload that is an array', header, json([claims])),
    signed('a payload that is null', header, json(null)),
    signed('a payload that is a text', header, json('text')),
    signed('a payload that is a number', header, json(1)),
    signed('a payload that is true', header, json(true)),
    signed('a payload that is not UTF-8', header, encode(Buffer.from(`{"iss":"${maker.key}\xff"}`, 'latin1'))),
    signed('a payload with a byte order mark inside', header, encode(`{"iss"\ufeff:1}`)),
    signed('a payload nested 2,000 deep and not closed', header, encode('['.repeat(2000))),
    signed('two JSON values', header, encode(`${JSON.stringify(claims)}{}`)),
  ];
}

function algorithmRows(maker: TokenMaker): Row[] {
  const payload = makeToken(maker).split('.')[1] ?? '';
  const { secret } = maker;
  const headed = (name: string, header: unknown, algorithm?: string): Row => [
    name,
    `JWT ${signParts(json(header), payload, secret, algorithm)}`,
    UNDECODABLE,
  ];
  return [
    ['alg none, unsigned', `JWT ${json({ alg: 'none' })}.${payload}.`, UNDECODABLE],
    headed('alg none, signed', { alg: 'none' }),
    headed('alg None', { alg: 'None' }),
    headed('alg nOnE', { alg: 'nOnE' }),
    headed('alg HS384', { alg: 'HS384' }, 'sha384'),
    headed('alg HS512', { alg: 'HS512' }, 'sha512'),
    headed('alg HS1', { alg: 'HS1' }, 'sha1'),
    headed('alg hs256', { alg: 'hs256' }),
    headed('alg RS256 with HMAC', { alg: 'RS256' }),
    headed('alg ES256 with HMAC', { alg: 'ES256' }),
    headed('alg PS256 with HMAC', { alg: 'PS256' }),
    headed('alg EdDSA with HMAC', { alg: 'EdDSA' }),
    headed('alg empty', { alg: '' }),
    headed('alg null', { alg: null }),
    headed('alg a number', { alg: 256 }),
    headed('alg in an array', { alg: ['HS256'] }),
    headed('alg an object', { alg: { name: 'HS256' } }),
    headed('alg inherited', JSON.parse('{"__proto__":{"alg":"HS256"}}')),
    headed('crit with a known header', { alg: 'HS256', crit: ['alg'] }),
    headed('crit with exp', { alg: 'HS256', crit: ['exp'], exp: 1 }),
    headed('crit empty', { alg: 'HS256', crit: [] }),
    headed('crit null', { alg: 'HS256', crit: null }),
    headed('crit with b64', { alg: 'HS256', crit: ['b64'], b64: false }),
    headed('HS256 with the hash of HS512', { alg: 'HS256' }, 'sha512'),
  ];
}

function signatureRows(maker: TokenMaker): Row[] {
  const good = makeToken(maker);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const { key, secret } = maker;
  const other = (name: string, wrong: string): Row => [name, `JWT ${signParts(header, payload, wrong)}`, UNDECODABLE];
  const plain = (name: string, end: string): Row => [name, `JWT ${header}.${payload}.${end}`, UNDECODABLE];
  const changed = json({ iss: key, iat: maker.now, exp: maker.now + 60, admin: true });
  const bytes = Buffer.from(signature, 'base64url');
  const flipped = Buffer.from(bytes);
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  return [
    other('the secret of somebody else', `addons_secret_${'0'.repeat(64)}`),
    other('an empty secret', ''),
    other('the key for the secret', key),
    other('the secret in capitals', secret.toUpperCase()),
    other('the secret and a line end', `${secret}\n`),
    other('the secret without its last letter', secret.slice(0, -1)),
    other('the secret without its prefix', secret.replace('addons_secret_', '')),
    plain('one bit of the signature flipped', encode(flipped)),
    plain('the signature shortened', signature.slice(0, -1)),
    plain('half a signature', encode(bytes.subarray(0, 16))),
    plain('the signature lengthened', `${signature}A`),
    plain('the signature with padding', `${signature}=`),
    plain('the signature in hex', bytes.toString('hex')),
    plain('a signature of zeros', encode(Buffer.alloc(32))),
    ['a payload changed after signing', `JWT ${header}.${changed}.${signature}`, UNDECODABLE],
    [
      'a header changed after signing',
      `JWT ${json({ typ: 'JWT', alg: 'HS256' })}.${payload}.${signature}`,
      UNDECODABLE,
    ],
    [
      'the signature of the payload alone',
      `JWT ${header}.${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`,
      UNDECODABLE,
    ],
  ];
}

function issuerRows(maker: TokenMaker): Row[] {
  const { key } = maker;
  const issued = (name: string, iss: unknown, refusal: Refusal = UNDECODABLE): Row => [
    name,
    `JWT ${makeToken(maker, { iss })}`,
    refusal,
  ];
  return [
    issued('no iss', undefined, NO_ISSUER),
    issued('iss null', null, NO_ISSUER),
    issued('iss a number', 1, WRONG_TYPE),
    issued('iss true', true, WRONG_TYPE),
    issued('iss in an array', [key], WRONG_TYPE),
    issued('iss an object', { key }, WRONG_TYPE),
    issued('iss empty', ''),
    issued('iss of no key', `addons_key_${'0'.repeat(32)}`),
    issued('iss of another form', 'user:1:1'),
    issued('iss in capitals', key.toUpperCase()),
    issued('iss and a blank', `${key} `),
    issued('iss and a line end', `${key}\n`),
    issued('iss and a NUL', `${key}\0`),
    issued('iss cut off', key.slice(0, -1)),
    issued('iss a pattern', 'addons_key_%'),
    issued('iss with SQL', `${key}' OR '1'='1`),
    issued('iss of 256 letters', 'k'.repeat(256)),
    issued('iss of 5,000 letters', 'k'.repeat(5000)),
    issued('iss half a character', '\ud800'),
    [
      'iss in the header only',
      `JWT ${signParts(json({ alg: 'HS256', iss: key }), json({ iat: maker.now, exp: maker.now + 60 }), maker.secret)}`,
      NO_ISSUER,
    ],
    ['iss inherited', `JWT ${signParts(HEADER, encode(`{"__proto__":{"iss":"${key}"}}`), maker.secret)}`, NO_ISSUER],
  ];
}

function claimRows(maker: TokenMaker): Row[] {
  const { now } = maker;
  const claimed = (name: string, changes: Record<string, unknown>, refusal: Refusal): Row => [
    name,
    `JWT ${makeToken(maker, changes)}`,
    refusal,
  ];
  return [
    claimed('no exp', { exp: undefined }, missing('exp')),
    claimed('exp null', { exp: null }, missing('exp')),
    claimed('no iat', { iat: undefined }, missing('iat')),
    claimed('iat null', { iat: null }, missing('iat')),
    claimed('neither iat nor exp', { iat: undefined, exp: undefined }, missing('exp')),
    claimed('exp a text', { exp: String(now + 60) }, WRONG_TYPE),
    claimed('exp a fraction', { exp: now + 60.5 }, WRONG_TYPE),
    claimed('exp true', { exp: true }, WRONG_TYPE),
    claimed('exp in an array', { exp: [now + 60] }, WRONG_TYPE),
    claimed('exp an object', { exp: {} }, WRONG_TYPE),
    claimed('exp beyond all integers', { exp: 1e300 }, WRONG_TYPE),
    claimed('iat a text', { iat: String(now) }, WRONG_TYPE),
    claimed('iat a date', { iat: new Date(now * 1000).toISOString() }, WRONG_TYPE),
    claimed('iat a fraction', { iat: now - 0.5 }, WRONG_TYPE),
    claimed('iat false', { iat: false }, WRONG_TYPE),
    claimed('iat in an array', { iat: [now] }, WRONG_TYPE),
    claimed('iat beyond all integers', { iat: -1e300 }, WRONG_TYPE),
    claimed('jti a number', { jti: 1 }, WRONG_TYPE),
    claimed('jti false', { jti: false }, WRONG_TYPE),
    claimed('jti in an array', { jti: ['a'] }, WRONG_TYPE),
    claimed('jti an object', { jti: {} }, WRONG_TYPE),
    claimed('orig_iat', { orig_iat: now }, ORIGINAL),
    claimed('orig_iat null', { orig_iat: null }, ORIGINAL),
    claimed('nbf a text', { nbf: String(now) }, WRONG_TYPE),
  ];
}

function timeRows(maker: TokenMaker): Row[] {
  const { now } = maker;
  const timed = (name: string, iat: number, exp: number, refusal: Refusal, more = {}): Row => [
    name,
    `JWT ${makeToken(maker, { iat, exp, ...more })}`,
    refusal,
  ];
  return [
    timed('exp equal to iat', now, now, NOT_AFTER),
    timed('exp before iat', now, now - 1, NOT_AFTER),
    timed('exp before iat, both ahead', now + 20, now + 10, NOT_AFTER),
    timed('negative exp', now, -1, NOT_AFTER),
    timed('a life of 301 s', now, now + 301, TOO_LONG),
    timed('a life of an hour', now, now + 3600, TOO_LONG),
    timed('a life of ten years', now, now + 315_360_000, TOO_LONG),
    timed('exp in milliseconds', now, now * 1000, TOO_LONG),
    timed('iat 0', 0, now + 60, TOO_LONG),
    timed('expired a minute ago', now - 120, now - 60, EXPIRED),
    timed('expired an hour ago', now - 3660, now - 3600, EXPIRED),
    timed('expired after a long life', now - 7200, now - 3600, EXPIRED),
    timed('from 1970', 0, 60, EXPIRED),
    timed('from before 1970', -120, -60, EXPIRED),
    timed('issued a minute ahead', now + 60, now + 120, FUTURE),
    timed('issued a day ahead', now + 86_400, now + 86_460, FUTURE),
    timed('issued ahead, with a long life', now + 600, now + 6000, FUTURE),
    timed('both in milliseconds', now * 1000, now * 1000 + 60, FUTURE),
    timed('not before a minute from now', now, now + 120, NOT_YET, { nbf: now + 60 }),
  ];
}

function bearerRows(maker: TokenMaker): Row[] {
  // The checksum of this one is right: it is a token that could have been given out.
  const known = `addons_token_${'0'.repeat(64)}cca157cc`;
  return [
    ['Bearer and one letter', 'Bearer x', UNDECODABLE],
    ['Bearer and a one-time token', `Bearer ${makeToken(maker)}`, UNDECODABLE],
    ['Bearer and an API secret', `Bearer ${maker.secret}`, UNDECODABLE],
    ['Bearer and an API key', `Bearer ${maker.key}`, UNDECODABLE],
    ['Bearer with a wrong checksum', `Bearer addons_token_${'0'.repeat(72)}`, UNDECODABLE],
    ['Bearer cut off', `Bearer ${known.slice(0, -1)}`, UNDECODABLE],
    ['Bearer too long', `Bearer ${known}0`, UNDECODABLE],
    ['Bearer in capitals', `Bearer ${known.toUpperCase()}`, UNDECODABLE],
    ['Bearer with another prefix', `Bearer ${known.replace('addons_token', 'addons_taken')}`, UNDECODABLE],
    ['Bearer without prefix', `Bearer ${known.replace('addons_token_', '')}`, UNDECODABLE],
    ['Bearer of 10,000 letters', `Bearer ${'0'.repeat(10_000)}`, UNDECODABLE],
    ['JWT and an access token', `JWT ${known}`, UNDECODABLE],
    ['Bearer that nobody was given', `Bearer ${known}`, UNKNOWN_BEARER],
  ];
}
