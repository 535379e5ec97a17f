/* Entry point of the package format: detects the format of a file and reads its manifest. */
import { extname } from 'node:path';
import { PackageError } from '../../errors.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { requireSignable } from '../signing/signable.ts';
import type { ArchiveVerification } from '../signing/verify/verify-package.ts';
import type { Container } from '../zip/container-rules.ts';
import { openZip } from '../zip/read-zip.ts';
import { notPlain } from '../zip/refusals.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import type { IsKnownVersion } from './compatibility.ts';
import { readInstallRdf } from './install-rdf.ts';
import { readOpenSearch } from './open-search.ts';
import type { PackageManifest } from './package-manifest.ts';
import { readWebExtension } from './web-extension.ts';

/** Signature block files (JAR File Specification, Signed JAR File). */
const SIGNATURE_BLOCK = /^META-INF\/[^/]*\.(rsa|dsa|ec)$/i;

/** A package and the result of `checkSignature`, null when it is unsigned. */
export interface ReadPackage extends PackageManifest {
  signature: ArchiveVerification | null;
}

/** Rules in addition to those of the format. */
interface ReadPackageOptions {
  /** The application versions that it may name. Default: all well-formed ones. */
  isKnown?: IsKnownVersion;
  /** Called for a signed package, with its archive open and its contents hashed. */
  checkSignature?: (archive: ZipArchive) => Promise<ArchiveVerification | null>;
  /** `packed` for packages that are rewritten when they are signed; `plain` by default. */
  container?: Container;
  /** Base name of the future signature files; an archive that cannot be signed is refused. */
  signedAs?: string;
}

const ARCHIVE_EXTENSIONS: ReadonlySet<string> = new Set(['.xpi', '.zip', '.crx']);

/**
 * Reads the uploaded package at `path`. The extension of `fileName`, the client's name, decides between an archive, which is
 * verified completely first, and an OpenSearch description. Of two manifests `manifest.json` counts, as in browsers.
 * @throws PackageError with the documented text (contract, Signing: 400 with `error`)
 */
export async function readPackage(
  path: string,
  fileName: string,
  options: ReadPackageOptions = {},
): Promise<ReadPackage> {
  const extension = extname(fileName).toLowerCase();
  if (extension === '.xml') return { ...(await readOpenSearch(path)), signature: null };
  if (ARCHIVE_EXTENSIONS.has(extension)) return readArchive(path, options);
  throw new PackageError(message('package.file_type', { name: printable(fileName) }));
}

async function readArchive(path: string, options: ReadPackageOptions): Promise<ReadPackage> {
  const { isKnown, checkSignature, signedAs, container = 'plain' } = options;
  const isSigned = (names: readonly string[]): boolean => names.some((name) => SIGNATURE_BLOCK.test(name));
  const archive = await openZip(path, { container, ...(checkSignature && { digests: isSigned }) });
  try {
    const manifest = await readArchiveManifest(archive, isKnown);
    const names = archive.entries.map(({ name }) => name);
    if (signedAs !== undefined) requireSignable(names, signedAs);
    const signature = (isSigned(names) && (await checkSignature?.(archive))) || null;
    // A file that keeps its signature is published as it is.
    if (signature?.ok && !archive.isPlain) throw notPlain();
    return { ...manifest, signature };
  } finally {
    await archive.close();
  }
}

/** Reads the manifest of an open archive. @throws PackageError as `readPackage` does */
export async function readArchiveManifest(archive: ZipArchive, isKnown?: IsKnownVersion): Promise<PackageManifest> {
  const named = (name: string) => archive.entries.find((entry) => !entry.directory && entry.name === name);
  const manifest = named('manifest.json');
  if (manifest) return readWebExtension(archive, manifest, isKnown);
  const installManifest = named('install.rdf');
  if (installManifest) return readInstallRdf(archive, installManifest, isKnown);
  throw new PackageError(
    missingManifest(archive.entries.filter(({ directory }) => !directory).map(({ name }) => name)),
  );
}

/** Names of the root that the message shows. */
const SHOWN_NAMES = 5;

/** Why no manifest was found. `names` are those of all files. */
function missingManifest(names: readonly string[]): Message {
  if (names.length === 0) return message('package.empty_archive');
  const depthOf = (name: string) => name.split('/').length;
  const manifests = names.filter((name) => /(?:^|\/)(?:manifest\.json|install\.rdf)$/i.test(name));
  const [nearest] = manifests.toSorted((one, other) => depthOf(one) - depthOf(other));
  if (nearest !== undefined && !nearest.includes('/')) {
    return message('package.manifest_other_case', { name: printable(nearest) });
  }
  if (nearest !== undefined) {
    const folder = nearest.slice(0, nearest.lastIndexOf('/'));
    return message('package.manifest_in_folder', { path: printable(nearest), folder: printable(folder) });
  }
  const roots = [...new Set(names.map((name) => (name.includes('/') ? `${name.split('/')[0]}/` : name)))];
  const shown = roots.slice(0, SHOWN_NAMES).map(printable).join(', ');
  return message('package.no_manifest', { names: roots.length > SHOWN_NAMES ? `${shown}, …` : shown });
}
