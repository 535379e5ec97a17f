/** How the issuing key signs: ECDSA with the hash that fits the curve, or RSA (PKCS#1 v1.5) with SHA-256. */
export type SignatureAlgorithm = 'ecdsa-sha256' | 'ecdsa-sha384' | 'rsa-sha256';

/** What the certificate log and the status page say about the authority that issues. */
export interface IssuerFacts {
  /** The subject of the intermediate on one line, for example `C=ZZ, O=…, CN=…`. */
  name: string;
  /** Serial number of the intermediate, lower-case hex. */
  serial: string;
  /** SHA-256 of the root certificate (DER), hex. */
  rootSha256: string;
  /** The earliest end of validity in the chain. */
  notAfter: Date;
}

/**
 * The holder of the issuing key. Only the process that signs has one; the key itself stays behind this interface, so a
 * hardware module or a remote service fits as well as a file.
 */
export interface Signer {
  readonly issuer: IssuerFacts;
  readonly algorithm: SignatureAlgorithm;
  /** DER certificates: the issuing intermediate first, the root last. */
  chain(): Buffer[];
  /** The signature over a TBSCertificate, as X.509 carries it. Rejects when the key cannot be reached. */
  signTbs(bytes: Buffer): Promise<Buffer>;
}

/** The signing key or its certificates cannot be used. The message is for the operator and names the file. */
export class SignerSetupError extends Error {
  override readonly name = 'SignerSetupError';
}
