import { createHmac } from 'node:crypto';
import { encode, json, makeToken, signParts, type TokenMaker } from './make-token.ts';
import { type Row, UNDECODABLE } from './token-refusals.ts';

/** Malformed tokens: with missing, additional or invalid parts. */
export function shapeRows(maker: TokenMaker): Row[] {
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
    signed('a header that is not JSON', encode('{alg:HS256}'), payload),
    signed('a header that is an array', json(['HS256']), payload),
    signed('a header that is null', json(null), payload),
    signed('a header that is a text', json('HS256'), payload),
    signed('a header that is a number', json(256), payload),
    signed('an empty header object', json({}), payload),
    signed('a header in base64 with padding', Buffer.from('{"alg":"HS256"} ').toString('base64'), payload),
    signed('a payload that is not JSON', header, encode('iss')),
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

/** Headers with another algorithm, or with extensions that the service does not support. */
export function algorithmRows(maker: TokenMaker): Row[] {
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

/** Invalid signatures. */
export function signatureRows(maker: TokenMaker): Row[] {
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
    other('the secret of another key', `addons_secret_${'0'.repeat(64)}`),
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
