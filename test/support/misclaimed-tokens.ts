import { encode, HEADER, json, makeToken, signParts, type TokenMaker } from './make-token.ts';
import {
  EXPIRED,
  FUTURE,
  MILLISECONDS,
  missing,
  NO_ISSUER,
  NO_NONCE,
  NOT_AFTER,
  NOT_YET,
  ORIGINAL,
  type Refusal,
  type Row,
  TOO_LONG,
  UNDECODABLE,
  WRONG_TYPE,
} from './token-refusals.ts';

/** Correctly signed tokens without a key, or with an unknown one. */
export function issuerRows(maker: TokenMaker): Row[] {
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
    issued('iss of an unknown key', `addons_key_${'0'.repeat(32)}`),
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

/** Correctly signed tokens whose claims are missing or of the wrong type. */
export function claimRows(maker: TokenMaker): Row[] {
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
    claimed('exp true', { exp: true }, WRONG_TYPE),
    claimed('exp in an array', { exp: [now + 60] }, WRONG_TYPE),
    claimed('exp an object', { exp: {} }, WRONG_TYPE),
    claimed('exp beyond all integers', { exp: 1e300 }, WRONG_TYPE),
    claimed('iat a text', { iat: String(now) }, WRONG_TYPE),
    claimed('iat a date', { iat: new Date(now * 1000).toISOString() }, WRONG_TYPE),
    claimed('iat false', { iat: false }, WRONG_TYPE),
    claimed('iat in an array', { iat: [now] }, WRONG_TYPE),
    claimed('iat beyond all integers', { iat: -1e300 }, WRONG_TYPE),
    claimed('jti false', { jti: false }, NO_NONCE),
    claimed('jti null', { jti: null }, NO_NONCE),
    claimed('jti in an array', { jti: ['a'] }, NO_NONCE),
    claimed('jti an object', { jti: {} }, NO_NONCE),
    claimed('jti empty', { jti: '' }, NO_NONCE),
    claimed('jti of 129 characters', { jti: 'x'.repeat(129) }, NO_NONCE),
    claimed('jti with a NUL', { jti: 'a\0b' }, NO_NONCE),
    claimed('jti with a line end', { jti: 'a\n' }, NO_NONCE),
    claimed('orig_iat', { orig_iat: now }, ORIGINAL),
    claimed('orig_iat null', { orig_iat: null }, ORIGINAL),
    claimed('nbf a text', { nbf: String(now) }, WRONG_TYPE),
  ];
}

/** Correctly signed tokens that are not yet valid, expired or valid for too long. */
export function timeRows(maker: TokenMaker): Row[] {
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
    timed('both in milliseconds', now * 1000, now * 1000 + 60, MILLISECONDS),
    timed('not before a minute from now', now, now + 120, NOT_YET, { nbf: now + 60 }),
  ];
}
