/** How the issuing key signs: ECDSA with the hash that fits the curve, or RSA (PKCS#1 v1.5) with SHA-256. */
export type SignatureAlgorithm = 'ecdsa-sha256' | 'ecdsa-sha384' | 'rsa-sha256';

/**
 * The holder of the issuing key. Only the process that signs has one; the key itself stays behind this interface, so a
 * hardware module or a remote service fits as well as a file.
 */
export interface Signer {
  readonly algorithm: SignatureAlgorithm;
  /** DER certificates: the issuing intermediate first, the root last. */
  chain(): Buffer[];
  /** The signature over a TBSCertificate, as X.509 carries it (ECDSA: the DER sequence). Rejects when the key cannot be reached. */
  signTbs(bytes: Buffer): Promise<Buffer>;
}

/** A new root and intermediate with their keys, all PEM. */
export interface NewAuthorities {
  rootCertificate: string;
  rootKey: string;
  intermediateCertificate: string;
  intermediateKey: string;
}

/** The signing key or its certificates cannot be used. The message is for the operator and names the file. */
export class SignerSetupError extends Error {
  override readonly name = 'SignerSetupError';
}
