import { createHash } from 'node:crypto';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifySignedPackage } from '../../../src/package/signing/verify/verify-package.ts';
import { openZip } from '../../../src/package/zip/read-zip.ts';
import { exchange } from './http-exchange.ts';
import type { Installation } from './installation.ts';
import { type ApiKey, authorization, versionPath } from './signing-client.ts';

/** Name of a file with unique content in every test package. */
export const MARK = 'mark.txt';

/** The download of a version. `problems` lists violations of the contract. */
export interface PublishedFile {
  problems: string[];
  /** Serial number of its certificate. */
  serial: string | null;
  /** Content of the file MARK in it. */
  mark: string | null;
}

interface UploadStatus {
  active?: boolean;
  files?: { download_url: string; hash: string; signed: boolean }[];
}

/**
 * Reads the status of a version and downloads its file as a signing client does. The bytes must have the hash of the status,
 * and the second implementation of the format must accept them for this id and the installation's root.
 */
export async function inspectPublished(
  installation: Installation,
  key: ApiKey,
  guid: string,
  version: string,
): Promise<PublishedFile> {
  const get = (url: string) => exchange({ method: 'GET', url, headers: { authorization: authorization(key) } });
  const { status, body } = await get(installation.url + versionPath(guid, version));
  const upload = status === 200 ? (JSON.parse(body.toString()) as UploadStatus) : {};
  const [file, ...others] = upload.files ?? [];
  if (!upload.active || !file?.signed || others.length > 0) {
    return { problems: [`its status is ${status} ${body}`], serial: null, mark: null };
  }
  const download = await get(file.download_url);
  const sha256 = createHash('sha256').update(download.body).digest('hex');
  const problems = file.hash === `sha256:${sha256}` ? [] : [`its file has the hash ${sha256}, expected ${file.hash}`];
  const path = join(installation.dataDir, `${sha256}.xpi`);
  await writeFile(path, download.body);
  try {
    const root = await readFile(join(installation.dataDir, 'ca', 'root.pem'), 'utf8');
    const verified = await verifySignedPackage(path, { roots: [root], id: guid });
    return { problems: [...problems, ...verified.problems], serial: verified.serial, mark: await readMark(path) };
  } finally {
    await unlink(path);
  }
}

async function readMark(path: string): Promise<string | null> {
  const archive = await openZip(path);
  try {
    const entry = archive.entries.find(({ name }) => name === MARK);
    return entry === undefined ? null : (await archive.read(entry)).toString();
  } finally {
    await archive.close();
  }
}
