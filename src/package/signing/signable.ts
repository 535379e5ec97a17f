import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { invalidName } from '../zip/refusals.ts';
import { jarManifest, manifestSection } from './jar-manifest.ts';

/** Names of the signature files as browsers look for them; `baseName` is free, only the extensions count. */
export function signatureFileNames(baseName: string) {
  return {
    coseManifest: 'META-INF/cose.manifest',
    coseSignature: 'META-INF/cose.sig',
    manifest: 'META-INF/manifest.mf',
    signatureFile: `META-INF/${baseName}.sf`,
    signatureBlock: `META-INF/${baseName}.rsa`,
  };
}

const SIGNATURE_FILE = /^META-INF\/(?:manifest\.mf|[^/]*\.(?:sf|rsa|dsa|ec)|sig-[^/]*|cose\.(?:manifest|sig))$/i;

/** Browsers read the state of curated add-ons from these files at the root of a package, so only a signer may add one. */
const RESERVED_FILE = /^(?:mozilla-)?recommendation\.json$/i;

/**
 * Whether a file of an upload is left out of the signed package: a signature file of an earlier signing, in any case of
 * letters, or the reserved file of the curated states. All other files under META-INF are kept and signed.
 */
export function isReplacedBySigning(name: string): boolean {
  return SIGNATURE_FILE.test(name) || RESERVED_FILE.test(name);
}

/** Browsers read no more than this of a signature file. */
const MAX_SIGNATURE_FILE_BYTES = 8_000_000;
/** What the length of a section depends on is the name of its file alone. */
const ANY_DIGEST = Buffer.alloc(32);

/**
 * Refuses a package with an entry where signature files go, a name that a manifest cannot hold, or more names than browsers
 * read. `names` are those of all entries, directories with a slash at the end.
 * @throws {PackageError}
 */
export function requireSignable(names: readonly string[], baseName: string): void {
  const added = signatureFileNames(baseName);
  const paths = Object.values(added).map((name) => `${name.toUpperCase()}/`);
  const clash = names.find((name) => {
    const path = name.toUpperCase();
    return path === 'META-INF' || paths.some((taken) => path.startsWith(taken));
  });
  if (clash !== undefined) throw invalidName(clash, 'package.name_of_signature');
  const content = names.filter((name) => !name.endsWith('/') && !isReplacedBySigning(name));
  // The longest of the lists: it names the files of the other signature too, with two digests each.
  let bytes = jarManifest([]).length;
  for (const name of [...content, added.coseManifest, added.coseSignature]) {
    bytes += manifestSection(name, ANY_DIGEST).bytes.length;
  }
  if (bytes > MAX_SIGNATURE_FILE_BYTES) {
    throw new PackageError(message('package.names_too_long_to_sign'));
  }
}
