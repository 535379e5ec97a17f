import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedSecrets, readConfig } from '../src/config.ts';
import { compileTrust } from '../src/http/client-address.ts';

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

describe('public addresses', () => {
  const ADDRESSES = ['BASE_URL', 'OUTGOING_URL', 'MIRROR_URL'];

  it.each(ADDRESSES)('%s is https in production, or one of this machine', (name) => {
    const plain = `${name}: must be https in production; http is for loopback addresses`;
    const inProduction = (address: string) => problemsOf({ [name]: address, ENVIRONMENT: 'production' });
    for (const host of ['addons.example.org', '127.0.0.1.example.org', '10.0.0.1', '0.0.0.0'])
      expect(inProduction(`http://${host}`)).toEqual([plain]);
    for (const address of [
      'https://addons.example.org',
      'http://127.0.0.1:3000',
      'http://localhost',
      'http://[::1]:80',
    ])
      expect(inProduction(address)).toEqual([]);
    for (const ENVIRONMENT of ['staging', 'development'])
      expect(problemsOf({ [name]: 'http://addons.example.org', ENVIRONMENT })).toEqual([]);
  });

  it('refuse the default address of a listener for other machines in production', () => {
    expect(problemsOf({ BASE_URL: '', HOST: '0.0.0.0', ENVIRONMENT: 'production' })).toHaveLength(1);
    expect(problemsOf({ BASE_URL: '', HOST: '0.0.0.0' })).toEqual([]);
  });
});

describe('SUPER_CREATE', () => {
  it.each(['production', 'staging', 'development'])('is off by default in %s', (ENVIRONMENT) => {
    expect(readConfig({ ENVIRONMENT }).SUPER_CREATE).toBe(false);
  });
});

describe('an address', () => {
  const ADDRESS = 'Expected http://… or https://…';

  it.each([
    ['BASE_URL', 'localhost:3000', ADDRESS],
    ['BASE_URL', 'ftp://addons.example.org', ADDRESS],
    ['BASE_URL', 'https://addons.example.org/?lang=de', 'A query or fragment is not allowed'],
    ['MIRROR_URL', 'mirror.example.org:8080', ADDRESS],
    ['ELASTICSEARCH_URL', 'localhost:9200', ADDRESS],
    ['IDP_EDIT_EMAIL_URL', 'javascript:alert(1)', ADDRESS],
    ['SMTP_URL', 'localhost:25', 'Expected smtp://HOST:PORT or smtps://HOST:PORT'],
    ['SMTP_URL', 'smtp:mail.example.org', 'Expected smtp://HOST:PORT or smtps://HOST:PORT'],
  ])('in %s cannot be %s', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}: ${problem}`]);
  });

  it.each(['addons', 'mysql://db.example.org/addons', 'postgresql://addons:a#b@db.example.org/addons'])(
    'of the database cannot be %s',
    (DATABASE_URL) => {
      expect(problemsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^DATABASE_URL: Expected postgresql:/)]);
    },
  );

  it.each([
    'postgres://db.example.org',
    'postgresql://addons:a%23b@[::1]:5432/addons?sslmode=require',
    'postgresql:///addons?host=/var/run/postgresql',
    'postgresql://addons:secret@/addons?host=/var/run/postgresql',
    'socket:/var/run/postgresql?db=addons',
  ])('of the database may be %s', (DATABASE_URL) => {
    expect(problemsOf({ DATABASE_URL })).toEqual([]);
  });

  it('to listen on must be part of BASE_URL, unless that is set', () => {
    const problem = 'HOST: cannot be the host of a URL; set BASE_URL';
    expect(problemsOf({ HOST: 'fe80::1%eth0', BASE_URL: '' })).toEqual([problem]);
    expect(problemsOf({ HOST: 'fe80::1%eth0' })).toEqual([]);
  });
});

describe('TRUSTED_PROXIES', () => {
  it.each([
    '192.0.2.1',
    '192.0.2.0/24, 2001:db8::/32',
    '10.0.0.0/255.0.0.0',
    'loopback,uniquelocal',
    '::ffff:10.0.0.1',
  ])('may be %s', (TRUSTED_PROXIES) => {
    expect(problemsOf({ TRUSTED_PROXIES })).toEqual([]);
    expect(() => compileTrust(readConfig({ TRUSTED_PROXIES }).TRUSTED_PROXIES)).not.toThrow();
  });

  it.each([
    'proxy',
    '192.0.2.0/33',
    '0.0.0.0/0',
    '::/0',
    '192.0.2.1 192.0.2.2',
    '10.0.0.0/255.0.0.0/8',
    '10.0.0.0/255.0.0.x',
    '10.0.0.0/255.0.255.0',
    '10.0.0.0/0.0.0.0',
  ])('cannot be %s', (TRUSTED_PROXIES) => {
    const problem = 'TRUSTED_PROXIES: Expected addresses and networks such as 192.0.2.0/24';
    expect(problemsOf({ TRUSTED_PROXIES })).toEqual([problem]);
  });
});

it.each([' ', 'many', '-1', '1e3', '0x10', '3.5', '65536'])('a port cannot be %j', (PORT) => {
  expect(problemsOf({ PORT })).toEqual(['PORT: Expected a whole number from 0 to 65535']);
});

it.each(['en_US', 'EN-us', 'xx'])('the default language cannot be %s', (DEFAULT_LOCALE) => {
  expect(problemsOf({ DEFAULT_LOCALE })).toEqual(['DEFAULT_LOCALE: Expected a supported language such as en-US']);
});

it('the file of a secret cannot be empty: the service would use another database', () => {
  expect(problemsOf({ DATABASE_URL_FILE: '/dev/null' })).toEqual(['DATABASE_URL_FILE: /dev/null is empty']);
});

it('every invalid setting is named, secrets in unreadable files too', () => {
  const problems = problemsOf({
    PORT: 'none',
    SECRET_KEY_FILE: '/does-not-exist',
    ENVIRONMENT: 'other',
  });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['PORT', 'ENVIRONMENT', 'SECRET_KEY_FILE']);
});

describe('secrets in files that are read again', () => {
  it('are changes if they are valid, and otherwise problems', () => {
    const folder = mkdtempSync(join(tmpdir(), 'addons-secrets-'));
    const file = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    try {
      const { changed, problems } = changedSecrets({
        SECRET_KEY_FILE: file('key', `${'k'.repeat(40)}\n`),
        SECRET_KEY_PREVIOUS_FILE: file('short', 'too short'),
        SMTP_URL_FILE: file('empty', ' \n'),
        INBOUND_MAIL_SECRET_FILE: join(folder, 'missing'),
        OIDC_CLIENT_SECRET: 'set by a variable',
        OIDC_CLIENT_SECRET_FILE: file('ignored', 'a variable has precedence'),
      });
      expect(changed).toEqual({ SECRET_KEY: 'k'.repeat(40) });
      expect(problems.map((problem) => problem.split(':')[0])).toEqual(
        ['SECRET_KEY_PREVIOUS', 'SMTP_URL', 'INBOUND_MAIL_SECRET'].map((name) => `${name}_FILE`),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
