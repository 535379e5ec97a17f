import { algorithmRows, shapeRows, signatureRows } from './forged-tokens.ts';
import { makeToken, type TokenMaker } from './make-token.ts';
import { claimRows, issuerRows, timeRows } from './misclaimed-tokens.ts';
import { EMPTY, type Refusal, type Row, SPACES, UNDECODABLE, UNKNOWN_BEARER } from './token-refusals.ts';

/** A header that must be refused, and the expected error. */
export interface HostileToken extends Refusal {
  name: string;
  /** The value of the Authorization header. */
  header: string;
}

/**
 * Headers that every endpoint refuses, with the exact error. They use a valid key, secret and account, so that the named flaw is
 * the only one. Each has a new nonce.
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

function bearerRows(maker: TokenMaker): Row[] {
  // A token with a correct checksum that was never issued.
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
    ['Bearer that was never issued', `Bearer ${known}`, UNKNOWN_BEARER],
  ];
}
