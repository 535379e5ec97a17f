import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Settings, settings } from './settings/settings.ts';

// Libraries skip development checks, which the tests have run.
process.env['NODE_ENV'] ??= 'production';

export type Environment = 'production' | 'staging' | 'development';

/** The effective settings, including those derived from others. */
export interface Config extends Omit<Settings, 'ENVIRONMENT' | 'BASE_URL' | 'RATE_LIMITS' | 'SEARCH_CONNECTIONS'> {
  ENVIRONMENT: Environment;
  BASE_URL: string;
  RATE_LIMITS: boolean;
  SEARCH_CONNECTIONS: number;
}

/** Invalid settings; `problems` has one line per setting. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** @throws {ConfigError} when the file of a secret cannot be read or is empty. */
function rawValue(name: string, secret: boolean, environment: NodeJS.ProcessEnv): string | undefined {
  const direct = environment[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = secret ? environment[`${name}_FILE`] : undefined;
  if (file === undefined || file === '') return undefined;
  const value = contentOf(name, file);
  // An unset secret would have a meaning of its own, such as another database.
  if (value === '') throw new ConfigError([`${name}_FILE: ${file} is empty`]);
  return value;
}

function contentOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`${name}_FILE: ${(error as Error).message}`]);
  }
}

/**
 * Reads the settings from environment variables.
 * @throws {ConfigError} naming every invalid setting.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, [schema, { secret }]] of Object.entries(settings)) {
    try {
      const parsed = schema.safeParse(rawValue(name, secret === true, environment));
      if (parsed.success) values[name] = parsed.data;
      else problems.push(`${name}: ${parsed.error.issues[0]?.message}`);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  problems.push(...signerProblems(values));
  if (values['DATABASE_SESSION_URL'] !== undefined && values['DATABASE_URL'] === undefined) {
    problems.push('DATABASE_SESSION_URL: needs DATABASE_URL');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const read = values as unknown as Settings;
  const effective = {
    ...read,
    ENVIRONMENT: read.ENVIRONMENT ?? (read.DATABASE_URL ? 'production' : 'development'),
    BASE_URL: read.BASE_URL ?? listenerUrl(read.HOST, read.PORT),
    RATE_LIMITS: read.RATE_LIMITS ?? true,
    SEARCH_CONNECTIONS: read.SEARCH_CONNECTIONS ?? Math.min(8, Math.max(2, availableParallelism())),
  };
  if (!URL.canParse(effective.BASE_URL)) throw new ConfigError(['HOST: cannot be the host of a URL; set BASE_URL']);
  const conflicts = [...addressProblems(effective), ...signInProblems(effective), ...storageProblems(effective)];
  if (conflicts.length > 0) throw new ConfigError(conflicts);
  return effective;
}

/**
 * The values of secret settings whose files have changed since they were read, by name, and what is wrong with files, one line each.
 * A secret whose file cannot be used is in no list of changes. Changes nothing.
 */
export function changedSecrets(environment = process.env): { changed: Partial<Config>; problems: string[] } {
  const changed: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, [schema, { secret }]] of Object.entries(settings)) {
    const isFile = secret === true && !environment[name] && environment[`${name}_FILE`];
    if (!isFile) continue;
    try {
      const parsed = schema.safeParse(rawValue(name, true, environment));
      if (!parsed.success) problems.push(`${name}_FILE: ${parsed.error.issues[0]?.message}`);
      else if (parsed.data !== config[name as keyof Config]) changed[name] = parsed.data;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  return { changed: changed as Partial<Config>, problems };
}

/** The settings that say where the signing key is, each with those that it needs. */
const SIGNERS = {
  SIGNING_KEY_FILE: [],
  SIGNING_PKCS11_MODULE: ['SIGNING_PKCS11_TOKEN', 'SIGNING_PKCS11_KEY', 'SIGNING_PKCS11_PIN'],
  SIGNING_REMOTE_URL: ['SIGNING_REMOTE_CERT_FILE', 'SIGNING_REMOTE_KEY_FILE', 'SIGNING_REMOTE_CA_FILE'],
};

/** What is wrong with the place of the signing key, one line each. A PIN may be missing on hosts that do not sign. */
function signerProblems(values: Readonly<Record<string, unknown>>): string[] {
  const has = (name: string): boolean => values[name] !== undefined;
  const given = Object.entries(SIGNERS).filter(([name]) => has(name));
  if (given.length > 1) return [`${given.map(([name]) => name).join(' and ')}: set one of them`];
  const [signer] = given;
  if (signer === undefined || signer[0] === 'SIGNING_KEY_FILE') {
    const isPair = (signer === undefined) === !has('SIGNING_CHAIN_FILE');
    return isPair ? [] : ['SIGNING_KEY_FILE and SIGNING_CHAIN_FILE: set both or neither'];
  }
  const [name, needed] = signer;
  return ['SIGNING_CHAIN_FILE', ...needed]
    .filter((each) => !has(each) && each !== 'SIGNING_PKCS11_PIN')
    .map((each) => `${each}: required with ${name}`);
}

/** The URL of a listener on an address and a port. */
export function listenerUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Host names that only this machine reaches, as `URL` has them. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Public addresses that would send credentials and files unprotected, one line each. */
function addressProblems({ ENVIRONMENT, BASE_URL, OUTGOING_URL, MIRROR_URL, ...config }: Config): string[] {
  const S3_PUBLIC_ENDPOINT = config.S3_REDIRECTS ? (config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT) : undefined;
  if (ENVIRONMENT !== 'production') return [];
  const isPlain = (address: string | undefined): boolean => {
    const { protocol, hostname } = new URL(address ?? 'https://unset');
    return protocol === 'http:' && !LOOPBACK.test(hostname);
  };
  return Object.entries({ BASE_URL, OUTGOING_URL, MIRROR_URL, S3_PUBLIC_ENDPOINT })
    .filter(([, address]) => isPlain(address))
    .map(([name]) => `${name}: must be https in production; http is for loopback addresses`);
}

/** What is wrong with the settings of a bucket, one line each. */
function storageProblems({ STORAGE, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Config): string[] {
  return [
    ...(STORAGE === 's3' && S3_BUCKET === undefined ? ['S3_BUCKET: required with STORAGE=s3'] : []),
    ...((S3_ACCESS_KEY_ID === undefined) === (S3_SECRET_ACCESS_KEY === undefined)
      ? []
      : ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or neither']),
  ];
}

/** What is wrong with the settings of the identity provider, one line each (docs/decisions.md D108). */
function signInProblems(settings: Config): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, COOKIE_DOMAIN, BASE_URL, ENVIRONMENT } = settings;
  const problems: string[] = [];
  if ((settings.OIDC_GROUPS_CLAIM === undefined) !== (settings.OIDC_GROUPS.length === 0)) {
    problems.push('OIDC_GROUPS_CLAIM and OIDC_GROUPS: set both or neither');
  }
  if (OIDC_ISSUER !== undefined) {
    const { protocol, hostname } = new URL(OIDC_ISSUER);
    const isPlainAllowed = LOOPBACK.test(hostname) && ENVIRONMENT !== 'production';
    if (protocol !== 'https:' && !isPlainAllowed) {
      problems.push('OIDC_ISSUER: must be https; http is for loopback addresses outside of production');
    }
    if (OIDC_CLIENT_ID === undefined) problems.push('OIDC_CLIENT_ID: required with OIDC_ISSUER');
  }
  const { hostname } = new URL(BASE_URL);
  if (COOKIE_DOMAIN !== undefined && hostname !== COOKIE_DOMAIN && !hostname.endsWith(`.${COOKIE_DOMAIN}`)) {
    problems.push('COOKIE_DOMAIN: must be the host of BASE_URL or a domain above it');
  }
  return problems;
}

/** The settings of this process. Start-up code adds the URL of an embedded database. */
export const config: Config = readConfig(process.env);

/** The environment of a child process: that of this process with `changes`. */
export function childEnvironment(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Whether the operator set a value. */
export function isSet(name: keyof typeof settings): boolean {
  const [, { secret }] = settings[name];
  return rawValue(name, secret === true, process.env) !== undefined;
}

/** The values of secret settings that this process has. */
export const secretValues = (): string[] =>
  Object.entries(settings).flatMap(([name, [, { secret }]]) => {
    const value = config[name as keyof Config];
    return secret === true && typeof value === 'string' ? [value] : [];
  });
