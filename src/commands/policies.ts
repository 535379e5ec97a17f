import { config, LOOPBACK } from '../config.ts';
import { POLICY_APPLICATIONS, type PolicyApplication, policiesFile } from './browser-policies.ts';
import { CommandError, type Invocation } from './command.ts';
import { print } from './output.ts';

/** Prints the `policies.json` of browsers or mail clients for this installation. */
export async function printPolicies(invocation: Invocation): Promise<void> {
  print(policiesText(invocation));
}

/**
 * The text that the command prints, without the last line end; docs/browsers.md contains it.
 * @throws {CommandError} for values that policies cannot contain.
 */
export function policiesText(invocation: Invocation): string {
  const base = readBase(invocation.optionalText('base') ?? config.BASE_URL);
  const application = readApplication(invocation.optionalText('application') ?? 'desktop_browser');
  const tlsRoot = readTlsRoot(invocation.optionalText('tls-root'));
  const allowUnsigned = readAllowUnsigned(invocation.flag('allow-unsigned'), application);
  const file = policiesFile({ base, application, allowUnsigned, ...(tlsRoot === undefined ? {} : { tlsRoot }) });
  return JSON.stringify(file, null, 2);
}

/** The URL without trailing slashes. Over http, anyone on the network could replace updates. */
function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`--base: "${text}" is not an address such as https://addons.example.org`);
  }
  if (/[?#%\s\\]/.test(text) || url.username !== '' || url.password !== '') {
    throw new CommandError(`--base: "${text}" contains credentials, a query, a fragment, "%", "\\" or a space`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new CommandError(`--base: "${text}" must start with https, which protects updates; http is for loopback`);
  }
  return url.href.replace(/\/+$/, '');
}

function readApplication(text: string): PolicyApplication {
  const known = POLICY_APPLICATIONS.find((name) => name === text);
  if (known === undefined) {
    throw new CommandError(`--application: unknown application "${text}"; use ${POLICY_APPLICATIONS.join(' or ')}`);
  }
  return known;
}

/** A name without `/` or `\` is a file in the folder of certificates that the application searches. */
function readTlsRoot(text: string | undefined): string | undefined {
  if (text?.trim() === '') throw new CommandError('--tls-root: the path or name of the certificate file is missing');
  return text;
}

/** Mail clients do not require signatures and refuse the preference in policies. */
function readAllowUnsigned(flag: boolean, application: PolicyApplication): boolean {
  if (flag && application === 'mail_client') {
    throw new CommandError('--allow-unsigned: only for desktop_browser; mail clients require no signatures');
  }
  return flag;
}
