/** The names of the five files that make up the two signatures of a package. */
export interface SignatureFileNames {
  manifest: string;
  signatureFile: string;
  block: string;
  coseManifest: string;
  coseSignature: string;
}

/** One kind of signature file: what counts as one in any case of letters, and the spellings that browsers look for. */
interface Kind {
  what: string;
  any: RegExp;
  exact: RegExp;
}

const kinds: Record<keyof SignatureFileNames, Kind> = {
  manifest: {
    what: 'META-INF/manifest.mf',
    any: /^META-INF\/manifest\.mf$/i,
    exact: /^META-INF\/(?:MANIFEST|Manifest|manifest)\.(?:MF|mf)$/,
  },
  signatureFile: {
    what: 'the signature file (META-INF/*.sf)',
    any: /^META-INF\/[^/]*\.sf$/i,
    exact: /^META-INF\/[^/]*\.(?:SF|sf)$/,
  },
  block: {
    what: 'the PKCS#7 signature (META-INF/*.rsa)',
    any: /^META-INF\/[^/]*\.rsa$/i,
    exact: /^META-INF\/[^/]*\.(?:RSA|rsa)$/,
  },
  coseManifest: {
    what: 'META-INF/cose.manifest',
    any: /^META-INF\/cose\.manifest$/i,
    exact: /^META-INF\/cose\.manifest$/,
  },
  coseSignature: {
    what: 'the COSE signature (META-INF/cose.sig)',
    any: /^META-INF\/cose\.sig$/i,
    exact: /^META-INF\/cose\.sig$/,
  },
};

/** Signature files of kinds that this format does not have. */
const FOREIGN = /^META-INF\/(?:[^/]*\.(?:dsa|ec)|sig-[^/]*)$/i;

/**
 * Finds the five signature files among the file names of an archive. `names` is null when one of them is missing, more
 * than once there or spelled so that browsers do not see it; `problems` then says so in words for a person.
 */
export function findSignatureFiles(files: string[]): { names: SignatureFileNames | null; problems: string[] } {
  const problems = files
    .filter((name) => FOREIGN.test(name))
    .map((name) => `${name} is a signature that does not belong there`);
  const find = (kind: Kind): string => {
    const found = files.filter((name) => kind.any.test(name));
    const [first = ''] = found;
    if (found.length === 0) problems.push(`${kind.what} is missing`);
    else if (found.length > 1) problems.push(`${kind.what} is there more than once: ${found.join(', ')}`);
    else if (!kind.exact.test(first)) problems.push(`${first} is spelled in a way that browsers do not recognise`);
    return first;
  };
  const found = Object.entries(kinds).map(([key, kind]) => [key, find(kind)]);
  const names: SignatureFileNames = Object.fromEntries(found);
  if (Object.values(names).every((name) => name === '')) return { names: null, problems: ['the file is not signed'] };
  return problems.length > 0 ? { names: null, problems } : { names, problems };
}
