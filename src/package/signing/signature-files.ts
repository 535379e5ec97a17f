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
