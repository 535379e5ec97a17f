import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { copyVerified } from '../../infra/blob-store/verified-copy.ts';
import type { BulkSession } from '../../infra/bulk-session.ts';
import { stagesSql } from '../addons/stages.ts';

export interface FilesFolder {
  /** Path of the folder for this process. */
  folder: string;
  /** The same folder as lines name it: relative to the catalogue file, with slashes. */
  path: string;
}

/** Result of an export of files. */
export interface ExportedFiles {
  /** Number of files in the folder. */
  copied: number;
  /** Hashes of the files that the store has lost or has with other bytes; lines name no file for them. */
  missing: string[];
}

/** SQL of one more pair of json_build_object with the path of a file; empty when files are not exported. */
export type PathPair = (key: string, sha256: string, ending?: string) => string;

/** The path of every file in an export without files. */
export const WITHOUT_FILES: PathPair = () => '';

export const PACKAGE_ENDING = `CASE f.format WHEN 'opensearch' THEN '.xml' ELSE '.xpi' END`;
const PICTURE_ENDING = `'.png'`;

/** SQL: whether a version `v` is exported. */
export const IS_EXPORTED = `v.stage IN ${stagesSql(['awaiting_review', 'signed', 'rejected'])}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Paths below a folder, without missing files. */
export function pathsBelow({ path }: FilesFolder, { missing }: ExportedFiles): PathPair {
  const lost = `${quoted(`{${missing.join(',')}}`)}::text[]`;
  return (key, sha256, ending = PICTURE_ENDING) => `, '${key}', CASE WHEN ${sha256} <> ALL (${lost})
    THEN ${quoted(`${path}/`)} || left(${sha256}, 2) || '/' || ${sha256} || ${ending} END`;
}

const NAMED_FILES = `
  SELECT f.sha256, ${PACKAGE_ENDING} AS ending FROM file f JOIN version v ON v.id = f.version_id
  WHERE f.is_stored AND ${IS_EXPORTED}
  UNION SELECT sha256, ${PICTURE_ENDING} FROM (
    SELECT icon_sha256 FROM addon UNION ALL SELECT image_sha256 FROM preview UNION ALL SELECT header_sha256 FROM persona
    UNION ALL SELECT footer_sha256 FROM persona UNION ALL SELECT picture_sha256 FROM account
  ) AS pictures(sha256) WHERE sha256 IS NOT NULL`;

/** Hashes per fetch, and concurrent copies. */
const FETCHED = 1_000;
const AT_A_TIME = 4;

/**
 * Copies the files that the catalogue names, in the transaction that writes its lines. Existing files are not copied again, so that
 * an export can be updated.
 */
export async function copyFiles(session: BulkSession, { folder }: FilesFolder): Promise<ExportedFiles> {
  const missing = new Set<string>();
  let copied = 0;
  const copy = async ({ sha256, ending }: { sha256: string; ending: string }): Promise<void> => {
    try {
      await copyFileOnce(sha256, join(folder, sha256.slice(0, 2), `${sha256}${ending}`));
      copied += 1;
    } catch (error) {
      if (!(error instanceof StoredFileError)) throw error;
      missing.add(sha256);
    }
  };
  await session.query(`DECLARE export_files NO SCROLL CURSOR FOR ${NAMED_FILES}`);
  for (;;) {
    const rows = await session.query<{ sha256: string; ending: string }>(`FETCH ${FETCHED} FROM export_files`);
    for (let start = 0; start < rows.length; start += AT_A_TIME) {
      await Promise.all(rows.slice(start, start + AT_A_TIME).map(copy));
    }
    if (rows.length < FETCHED) break;
  }
  await session.query('CLOSE export_files');
  return { copied, missing: [...missing].sort() };
}

/** Copies a blob to `target`, unless a file of its size exists there. The copy appears complete or not at all. */
async function copyFileOnce(sha256: string, target: string): Promise<void> {
  const size = await blobs.requireSize(sha256);
  const existing = await stat(target).catch(() => null);
  if (existing?.isFile() && existing.size === size) return;
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.part`;
  // Left by a killed export.
  await rm(draft, { force: true });
  await copyVerified(sha256, draft);
  await rename(draft, target);
}
