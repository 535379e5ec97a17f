import { createHash } from 'node:crypto';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WebExtensionOptions, xpi } from '../support/packages.ts';
import type { SigningClient, SignJob, SignOutcome } from './client.ts';
import type { Site } from './site.ts';

/** What a scenario works with. Those of one stage follow each other: a later one finds the add-ons of the earlier ones. */
export interface Stage {
  site: Site;
  client: SigningClient;
  api: 'v3' | 'v4';
  /** Folder for packages and downloads. */
  folder: string;
  /** The id of the add-on that most scenarios are about. */
  guid: string;
}

/** Makes a stage in a folder of its own below `folder`. */
export async function setStage(site: Site, client: SigningClient, api: 'v3' | 'v4', folder: string): Promise<Stage> {
  const own = await mkdtemp(join(folder, `${api}-`));
  const word = client.name.replaceAll(/[^a-z0-9.]+/g, '-');
  // An id in braces has to be encoded in an address, or is sent as it is; both forms occur.
  const guid = client.name === 'curl' ? bracedId(api) : `${word}.${api}@example.org`;
  return { site, client, api, folder: own, guid };
}

function bracedId(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `{${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}}`;
}

/** Where the stage's version of the API is. */
export const prefixOf = ({ site, api }: Stage): string => `${site.url}/api/${api}`;

/** What is tried to be signed, and how. */
export interface Attempt {
  version: string;
  channel?: 'listed';
  /** In place of the developer's. */
  secret?: string;
  /** Null: the service chooses one. Absent: that of the stage. */
  id?: string | null;
  /** Whether the manifest leaves the id out though the client knows it. */
  withoutIdInManifest?: boolean;
  files?: Record<string, Buffer>;
  /** Sent in place of a good package. */
  content?: Buffer;
}

/** How to build a package with an id, or without one, so that the client finds it. */
export function identity({ idKey }: SigningClient, guid: string | null): WebExtensionOptions {
  if (guid === null || idKey === 'browser_specific_settings') return { guid };
  return { guid: null, manifest: { [idKey]: { gecko: { id: guid } } } };
}

/** Has the client sign a package, and returns how that ended and the paths of the files it saved. */
export async function attempt(stage: Stage, made: Attempt): Promise<SignOutcome & { saved: string[] }> {
  const { site, client } = stage;
  const { version } = made;
  const id = made.id === undefined ? stage.guid : made.id;
  const guid = made.withoutIdInManifest ? null : id;
  const content = made.content ?? (await xpi({ version, files: made.files ?? {}, ...identity(client, guid) }));
  const saveTo = await mkdtemp(join(stage.folder, 'saved-'));
  const file = join(stage.folder, `addon-${version}.xpi`);
  await writeFile(file, content);
  const secret = made.secret ?? site.secret;
  const job: SignJob = { prefix: prefixOf(stage), key: site.key, secret, file, id, version, saveTo };
  const outcome = await client.sign({ ...job, ...(made.channel ? { channel: made.channel } : {}) });
  const saved = (await readdir(saveTo)).map((name) => join(saveTo, name));
  return { ...outcome, saved };
}
