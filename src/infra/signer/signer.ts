/** How the issuing key signs: ECDSA with the hash that fits the curve, or RSA (PKCS#1 v1.5) with SHA-256. */
export type SignatureAlgorithm = 'ecdsa-sha256' | 'ecdsa-sha384' | 'rsa-sha256';

/** What a certificate says and is for: a signer with a policy of its own makes the bytes to sign from it again. */
export interface SigningRequest {
  /** The serial number, lower-case hex. The signature log has it before the signer is called. */
  serial: string;
  guid: string;
  organizationalUnit: string;
  notBefore: Date;
  notAfter: Date;
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Buffer;
  /** The version and the SHA-256 of its package, as recorded; null outside of the pipeline. */
  file: { version: string; inputSha256: string } | null;
}

/**
 * The holder of the issuing key. Only the process that signs has one; the key itself stays behind this interface, so a
 * hardware module or a remote service fits as well as a file.
 */
export interface Signer {
  readonly algorithm: SignatureAlgorithm;
  /** DER certificates: the issuing intermediate first, the root last. */
  chain(): Buffer[];
  /**
   * The signature over a TBSCertificate, as X.509 carries it (ECDSA: the DER sequence). `request` is what it says.
   * Rejects when the key cannot be reached, or the policy of its holder refuses the request.
   */
  signTbs(bytes: Buffer, request: SigningRequest): Promise<Buffer>;
}

/** A new root and intermediate with their keys, all PEM. */
export interface NewAuthorities {
  rootCertificate: string;
  rootKey: string;
  intermediateCertificate: string;
  intermediateKey: string;
}

/** The holder of the key has another issuing certificate now: the signer must be opened again. */
export class IssuerChangedError extends Error {
  override readonly name = 'IssuerChangedError';
}

/** The signing key or its certificates cannot be used. The message is for the operator and names the file. */
export class SignerSetupError extends Error {
  override readonly name = 'SignerSetupError';
}
