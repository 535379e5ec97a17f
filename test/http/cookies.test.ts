import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { config } from '../../src/config.ts';
import { acceptedLanguages, acceptsPages, prefersJson } from '../../src/http/accepts.ts';
import { clearedSessionCookies, readCookie, sessionCookies, setCookie } from '../../src/http/cookies.ts';

const before = { BASE_URL: config.BASE_URL, COOKIE_DOMAIN: config.COOKIE_DOMAIN };
afterEach(() => {
  Object.assign(config, before);
});

const request = (headers: Record<string, string>) => Object.assign(new IncomingMessage(new Socket()), { headers });

function written(cookies: ReturnType<typeof sessionCookies>): unknown {
  const response = new ServerResponse(request({}));
  for (const cookie of cookies) setCookie(response, cookie);
  return response.getHeader('set-cookie');
}

describe('the cookies of a sign-in', () => {
  it('are Secure over https, the page session with a prefix and the token with the domain', () => {
    Object.assign(config, { BASE_URL: 'https://addons.example.org', COOKIE_DOMAIN: 'example.org' });
    expect(written(sessionCookies('t', 's', 60))).toEqual([
      'frontend_auth_token=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure; Domain=example.org',
      '__Host-addons_session=s; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
    ]);
  });

  it('are deleted with the same attributes', () => {
    Object.assign(config, { BASE_URL: 'http://127.0.0.1', COOKIE_DOMAIN: undefined });
    expect(written(clearedSessionCookies())).toEqual([
      'frontend_auth_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      'addons_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
  });
});

describe('readCookie', () => {
  it.each([
    ['a=1', '1'],
    ['b=2; a=1; c=3', '1'],
    ['b=2;a=1', '1'],
    ['a=1; a=2', '1'],
    ['a=x=y', 'x=y'],
    ['a=', ''],
    ['a; a=1', '1'],
    ['a', null],
    ['a=%zz', '%zz'],
    ['a=%', '%'],
    ['__proto__=1; constructor=2', null],
    ['aa=1; A=2', null],
    ['', null],
  ])('of %j is %j', (cookie, value) => {
    expect(readCookie(request({ cookie }), 'a')).toBe(value);
  });

  it.each(['constructor', 'toString', '__proto__'])('has no value for the name %s of an inherited property', (name) => {
    expect(readCookie(request({ cookie: 'a=1' }), name)).toBeNull();
  });

  it('is null without cookies', () => {
    expect(readCookie(request({}), 'a')).toBeNull();
  });
});

describe('prefersJson', () => {
  it.each([
    'application/json',
    'Application/JSON;charset=utf-8',
    'application/json, text/plain, */*',
    'application/json, text/html',
    'text/html;q=0.8, application/json;q=0.9',
    'application/*',
    'text/html;q=0, */*',
    'application/json;version=1, text/html;q=0.9',
  ])('is true for %j', (accept) => {
    expect(prefersJson(accept)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html, application/json',
    'application/json;q=0.5, text/html',
    'application/json;q=0, */*;q=0',
    'application/json;q=x',
    'image/png',
  ])('is false for %j', (accept) => {
    expect(prefersJson(accept)).toBe(false);
  });
});

describe('headers of a hostile client', () => {
  const PARTS = [
    'text/html',
    'application/json',
    '*/*',
    'de',
    'a',
    '=',
    '"',
    ';',
    ',',
    ' ',
    '\t',
    '%',
    '%zz',
    ';q=',
    'x',
    '.5',
    '\\',
  ];
  const headers = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
  );

  it('never throw', () => {
    const read = (value: string) => {
      prefersJson(value);
      acceptsPages(value);
      acceptedLanguages(value);
      readCookie(request({ cookie: value }), 'a');
    };
    fc.assert(fc.property(headers, read), { numRuns: 2_000 });
  });

  it.each(PARTS)('are read in linear time when they repeat %j', (part) => {
    const value = part.repeat(16_384);
    const start = performance.now();
    prefersJson(value);
    acceptedLanguages(value);
    readCookie(request({ cookie: value }), 'b');
    expect(performance.now() - start).toBeLessThan(500);
  });
});
