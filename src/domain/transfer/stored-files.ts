/*
 * Reads, checks and stores the files that lines name before the lines are staged. Nothing refers to a blob before the commit; blobs
 * of a failed import are garbage-collected.
 */
import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ServiceError } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import type { PackageManifest } from '../../package/manifest/package-manifest.ts';
import { readPackage } from '../../package/manifest/read-package.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import {
  ACCOUNT_PICTURE,
  ICON_KIND,
  PERSONA_FOOTER,
  PERSONA_HEADER,
  type PictureKind,
  PREVIEW_KIND,
} from '../pictures/picture-kinds.ts';
import { type StoredPictures, storePicture } from '../pictures/store-picture.ts';
import { type ManifestCompatibility, manifestCompatibility } from '../versions/manifest-limits.ts';
import type { AddonLine, FileLine } from './addon-line.ts';
import { LineError } from './line-error.ts';

export interface StoredFile {
  sha256: string;
  /** In bytes. */
  size: number;
  manifest: Pick<PackageManifest, 'format' | 'targetLocale' | 'guid' | 'version'>;
  /** The limits that the manifest sets for later changes of the version. */
  limits: ManifestCompatibility;
}

/** Stored files of one line: packages by path, pictures by the key that names them. */
export interface StoredFiles {
  packages: ReadonlyMap<string, StoredFile>;
  pictures: ReadonlyMap<string, StoredPictures>;
}

/** Maximum number of cached pictures. */
const MAX_CACHED = 1_000;

/** Cache of pictures stored by one import: add-ons may share pictures, and decoding is expensive. */
export class PictureCache {
  readonly #stored = new Map<string, StoredPictures>();
  readonly #store: typeof storePicture;

  constructor(store = storePicture) {
    this.#store = store;
  }

  /** Returns the cached result for a file, or stores it. @throws what `storePicture` throws. */
  async store(source: string, kind: PictureKind): Promise<StoredPictures> {
    const key = JSON.stringify([source, kind]);
    const stored = this.#stored.get(key) ?? (await this.#store(source, kind));
    if (this.#stored.size >= MAX_CACHED) this.#stored.clear();
    this.#stored.set(key, stored);
    return stored;
  }
}

/** Resolves a path below the folder of the catalogue, symbolic links included. */
async function find(baseFolder: string | undefined, path: string, key: string): Promise<string> {
  if (baseFolder === undefined) throw new LineError(key, message('line.no_folder'));
  const folder = await realpath(baseFolder);
  const found = await realpath(join(folder, path)).catch(() => null);
  if (found === null) throw new LineError(key, message('line.no_file', { path: printable(path) }));
  const inside = relative(folder, found);
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..') {
    throw new LineError(key, message('line.expected_path'));
  }
  return found;
}

/** Runs `work` and reports its refusals as errors of the line. */
async function refusedAt<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'UNAVAILABLE') throw new LineError(key, error.reason);
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new LineError(key, message('line.folder'));
    throw error;
  }
}

async function storePackage(source: string, name: string): Promise<StoredFile> {
  const staged = await receiveFile(createReadStream(source));
  try {
    const manifest = await readPackage(staged.path, name);
    const { format, targetLocale, guid, version } = manifest;
    await blobs.put(staged);
    return {
      sha256: staged.sha256,
      size: staged.size,
      manifest: { format, targetLocale, guid, version },
      limits: manifestCompatibility(manifest),
    };
  } finally {
    await staged.discard();
  }
}

/** Checks a package against its line. */
function checkPackage(
  file: FileLine,
  stored: StoredFile,
  key: string,
  expected: { guid: string; version: string },
): void {
  const { guid, version } = stored.manifest;
  if (guid !== null && guid.toLowerCase() !== expected.guid.toLowerCase()) {
    throw new LineError(`${key}.path`, message('line.package_of_addon', { guid: printable(guid) }));
  }
  if (version !== null && version !== expected.version) {
    throw new LineError(`${key}.path`, message('line.package_of_version', { version: printable(version) }));
  }
  if (file.hash !== null && file.hash.toLowerCase() !== `sha256:${stored.sha256}`) {
    const path = printable(file.path ?? '');
    throw new LineError(`${key}.hash`, message('line.file_differs', { path, sha256: stored.sha256 }));
  }
}

/**
 * Stores the packages and pictures of an add-on.
 * @throws {LineError} for a missing or refused file, and for one that contradicts its line.
 */
export async function storeFilesOf(
  addon: AddonLine,
  baseFolder: string | undefined,
  at: string,
  known: PictureCache,
): Promise<StoredFiles> {
  const packages = new Map<string, StoredFile>();
  const pictures = new Map<string, StoredPictures>();
  for (const [index, { files, version }] of addon.versions.entries()) {
    for (const [place, file] of files.entries()) {
      if (file.path === null) continue;
      const key = `${at}.versions[${index}].files[${place}]`;
      const source = await find(baseFolder, file.path, `${key}.path`);
      const stored = await refusedAt(`${key}.path`, () => storePackage(source, file.path ?? ''));
      checkPackage(file, stored, key, { guid: addon.guid, version });
      packages.set(file.path, stored);
    }
  }
  const theme = addon.theme_data;
  const named: [key: string, path: string | null | undefined, kind: PictureKind][] = [
    ['icon_path', addon.icon_path, ICON_KIND],
    ...addon.previews.map(({ path }, index): (typeof named)[number] => [`previews[${index}].path`, path, PREVIEW_KIND]),
    ['theme_data.header_path', theme?.header_path, PERSONA_HEADER],
    ['theme_data.footer_path', theme?.footer_path, PERSONA_FOOTER],
  ];
  for (const [name, path, kind] of named) {
    if (path == null) continue;
    const key = `${at}.${name}`;
    const source = await find(baseFolder, path, key);
    pictures.set(name, await refusedAt(key, () => known.store(source, kind)));
  }
  return { packages, pictures };
}

/** Stores the picture of an account and returns its hash. @throws like `storeFilesOf`. */
export async function storePictureOf(
  path: string,
  baseFolder: string | undefined,
  key: string,
  known: PictureCache,
): Promise<string> {
  const source = await find(baseFolder, path, key);
  return (await refusedAt(key, () => known.store(source, ACCOUNT_PICTURE))).sha256;
}
