import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const problemsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig({ BASE_URL: 'https://addons.example.org', ...environment });
    return [];
  } catch (error) {
    return (error as { problems: string[] }).problems;
  }
};

describe('the settings of the identity provider', () => {
  const OIDC_CLIENT_ID = 'addons';
  const PLAIN = 'OIDC_ISSUER: must be https; http is for loopback addresses outside of production';

  it.each([
    ['https://id.example.org', 'production', []],
    ['https://id.example.org/realms/one/', 'production', []],
    ['http://127.0.0.1:9000', 'development', []],
    ['http://localhost:9000', 'staging', []],
    ['http://[::1]:9000', 'development', []],
    ['http://127.0.0.1:9000', 'production', [PLAIN]],
    ['http://id.example.org', 'development', [PLAIN]],
    ['http://127.0.0.1.example.org', 'development', [PLAIN]],
  ])('accept or refuse the issuer %s in %s', (OIDC_ISSUER, ENVIRONMENT, problems) => {
    expect(problemsOf({ OIDC_ISSUER, OIDC_CLIENT_ID, ENVIRONMENT })).toEqual(problems);
  });

  it('keep the issuer to the letter, because ID tokens name it', () => {
    const OIDC_ISSUER = 'https://id.example.org/';
    expect(readConfig({ OIDC_ISSUER, OIDC_CLIENT_ID }).OIDC_ISSUER).toBe(OIDC_ISSUER);
  });

  it('need a client and the scope openid', () => {
    expect(problemsOf({ OIDC_ISSUER: 'https://id.example.org' })).toEqual([
      'OIDC_CLIENT_ID: required with OIDC_ISSUER',
    ]);
    expect(problemsOf({ OIDC_SCOPES: 'email profile' })).toEqual(['OIDC_SCOPES: must contain "openid"']);
    expect(problemsOf({ OIDC_ISSUER: 'ftp://id.example.org', OIDC_CLIENT_ID })).toHaveLength(1);
  });

  it('allow a cookie domain that contains the host', () => {
    for (const domain of ['addons.example.org', 'example.org'])
      expect(problemsOf({ COOKIE_DOMAIN: domain })).toEqual([]);
    for (const domain of ['other.org', 'ddons.example.org', 'x.addons.example.org', 'org', 'example.org; Path=/x']) {
      expect(problemsOf({ COOKIE_DOMAIN: domain })).toHaveLength(1);
    }
  });
});

describe('SUPER_CREATE', () => {
  it.each(['production', 'staging', 'development'])('is off by default in %s', (ENVIRONMENT) => {
    expect(readConfig({ ENVIRONMENT }).SUPER_CREATE).toBe(false);
  });
});

it('every invalid setting is named, secrets in unreadable files too', () => {
  const problems = problemsOf({
    PORT: 'none',
    SECRET_KEY_FILE: '/does-not-exist',
    ENVIRONMENT: 'other',
  });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['PORT', 'ENVIRONMENT', 'SECRET_KEY_FILE']);
});
