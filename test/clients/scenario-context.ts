import { createHash } from 'node:crypto';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKey } from '../crash/support/signing-client.ts';
import { type WebExtensionOptions, xpi } from '../support/packages.ts';
import type { SigningClient, SignJob, SignOutcome } from './client.ts';
import type { Site } from './site.ts';

/** The shared state of the scenarios of one client: later scenarios use the add-ons of earlier ones. */
export interface ScenarioContext {
  site: Site;
  client: SigningClient;
  api: 'v3' | 'v4';
  /** Folder for packages and downloads. */
  folder: string;
  /** The id of the add-on that most scenarios are about. */
  guid: string;
}

/** Creates a context with a new folder below `folder`. */
export async function createContext(
  site: Site,
  client: SigningClient,
  api: 'v3' | 'v4',
  folder: string,
): Promise<ScenarioContext> {
  const own = await mkdtemp(join(folder, `${api}-`));
  const word = client.name.replaceAll(/[^a-z0-9.]+/g, '-');
  // Clients send an id in braces encoded or unencoded; curl sends it unencoded.
  const guid = client.name === 'curl' ? bracedId(api) : `${word}.${api}@example.org`;
  return { site, client, api, folder: own, guid };
}

function bracedId(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `{${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}}`;
}

/** The URL of the context's API version. */
export const prefixOf = ({ site, api }: ScenarioContext): string => `${site.url}/api/${api}`;

/** What a client tries to sign, and how. */
export interface Attempt {
  version: string;
  channel?: 'listed';
  /** Replaces the developer's key. */
  credentials?: ApiKey;
  /** Replaces the secret. */
  secret?: string;
  /** Null: the service assigns an id. Undefined: the id of the context. */
  id?: string | null;
  /** Whether the manifest has no id although the client passes one. */
  withoutIdInManifest?: boolean;
  files?: Record<string, Buffer>;
  /** Replaces the valid package. */
  content?: Buffer;
}

/** Options of a package with or without an id, in the manifest key that the client reads. */
export function identity({ idKey }: SigningClient, guid: string | null): WebExtensionOptions {
  if (guid === null || idKey === 'browser_specific_settings') return { guid };
  return { guid: null, manifest: { [idKey]: { gecko: { id: guid } } } };
}

/** Runs the client on a package. Returns the outcome and the paths of the files that the client saved. */
export async function attempt(context: ScenarioContext, made: Attempt): Promise<SignOutcome & { saved: string[] }> {
  const { site, client } = context;
  const { version } = made;
  const id = made.id === undefined ? context.guid : made.id;
  const guid = made.withoutIdInManifest ? null : id;
  const content = made.content ?? (await xpi({ version, files: made.files ?? {}, ...identity(client, guid) }));
  const saveTo = await mkdtemp(join(context.folder, 'saved-'));
  const file = join(context.folder, `addon-${version}.xpi`);
  await writeFile(file, content);
  const { key, secret } = made.credentials ?? site;
  const job: SignJob = { prefix: prefixOf(context), key, secret: made.secret ?? secret, file, id, version, saveTo };
  const outcome = await client.sign({ ...job, ...(made.channel ? { channel: made.channel } : {}) });
  const saved = (await readdir(saveTo)).map((name) => join(saveTo, name));
  return { ...outcome, saved };
}
