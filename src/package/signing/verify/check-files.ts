import type { ZipArchive } from '../../zip/zip-archive.ts';
import type { SignatureFileNames } from './find-signature-files.ts';
import { readManifest, readSignatureFile } from './manifest-reader.ts';

/** Contents of the five signature files. */
export type SignatureContents = Record<keyof SignatureFileNames, Buffer>;

/** The base64 SHA-256 of the content of every file, by name, in an archive that was opened with `digests`. */
export function contentDigests(archive: ZipArchive): Map<string, string> {
  const digests = new Map<string, string>();
  for (const { name, directory, sha256 } of archive.entries) {
    if (directory) continue;
    if (!sha256) throw new Error('The archive was opened without digests.');
    digests.set(name, sha256.toString('base64'));
  }
  return digests;
}

/** How the files of an archive differ from a list of their digests; files in `unlisted` must not be on that list. */
function listProblems(listed: Map<string, string>, digests: Map<string, string>, unlisted: string[]): string[] {
  const problems: string[] = [];
  for (const [name, digest] of listed) {
    const actual = unlisted.includes(name) ? undefined : digests.get(name);
    if (actual === undefined) problems.push(`${name} was removed after signing`);
    else if (actual !== digest) problems.push(`${name} was changed after signing`);
  }
  for (const name of digests.keys()) {
    if (!listed.has(name) && !unlisted.includes(name)) problems.push(`${name} was added after signing`);
  }
  return problems;
}

/** Checks the chain of digests of the PKCS#7 signature: signature file, manifest, every file but these two and the block. */
export function manifestProblems(
  names: SignatureFileNames,
  contents: SignatureContents,
  digests: Map<string, string>,
): string[] {
  const listed = readManifest(contents.manifest);
  const problems = listProblems(listed, digests, [names.manifest, names.signatureFile, names.block]);
  if (readSignatureFile(contents.signatureFile) !== digests.get(names.manifest)) {
    problems.push(`${names.manifest} or ${names.signatureFile} was changed after signing`);
  }
  return problems;
}

/** Checks the list that the COSE signature covers: every file but the five signature files. */
export function coseManifestProblems(
  names: SignatureFileNames,
  contents: SignatureContents,
  digests: Map<string, string>,
): string[] {
  return listProblems(readManifest(contents.coseManifest), digests, Object.values(names));
}
