import { X509Certificate } from 'node:crypto';
import { requireSigningRoot } from '../../auth/shared-keys.ts';
import { config } from '../../config.ts';
import { ensureDevelopmentCa } from '../../infra/signer/development-ca.ts';
import { openFileSigner } from '../../infra/signer/file-signer.ts';
import { openRemoteSigner } from '../../infra/signer/remote-signer.ts';
import { developmentCaFolder } from '../../infra/signer/root-certificate.ts';
import type { Signer } from '../../infra/signer/signer.ts';
import { createAuthorities } from '../../package/signing/authorities.ts';
import { recordIssuer } from '../signature-log/issuers.ts';

/** A signer, and the root certificate of its chain. */
export interface OpenSigner {
  signer: Signer;
  rootPem: string;
}

/** The root certificate of a signer, as PEM. */
export const rootOf = (signer: Signer): string =>
  new X509Certificate(signer.chain().at(-1) ?? Buffer.alloc(0)).toString();

/**
 * The signing key of this installation: the operator's in a file, in a hardware module or behind `addons signer`, or that of a development
 * CA, created when missing. Its root is that of the installation, and its issuer is recorded.
 * @throws {SignerSetupError} @throws {RemoteSignerError} @throws {SharedKeyError}
 */
export async function openSigner(): Promise<OpenSigner> {
  const signer = await openConfiguredSigner();
  const rootPem = rootOf(signer);
  await requireSigningRoot(rootPem, 'signs');
  await recordIssuer(signer);
  return { signer, rootPem };
}

/** Like `openSigner`, for checks: writes nothing. @throws {SignerSetupError} @throws {RemoteSignerError} */
export async function openConfiguredSigner(): Promise<Signer> {
  const { SIGNING_REMOTE_URL, SIGNING_REMOTE_CERT_FILE, SIGNING_REMOTE_KEY_FILE, SIGNING_REMOTE_CA_FILE } = config;
  if (SIGNING_REMOTE_URL === undefined) return openOwnKey();
  return openRemoteSigner({
    url: SIGNING_REMOTE_URL,
    certificateFile: SIGNING_REMOTE_CERT_FILE ?? '',
    keyFile: SIGNING_REMOTE_KEY_FILE ?? '',
    authorityFile: SIGNING_REMOTE_CA_FILE ?? '',
  });
}

/** The signing key that this host has. @throws {SignerSetupError} */
export async function openOwnKey(): Promise<Signer> {
  const { SIGNING_KEY_FILE: keyFile, SIGNING_CHAIN_FILE: chainFile, SIGNING_PKCS11_MODULE: module } = config;
  if (chainFile && module) {
    const { openPkcs11Signer } = await import('../../infra/signer/pkcs11-signer.ts');
    const { SIGNING_PKCS11_TOKEN: token = '', SIGNING_PKCS11_KEY: key = '', SIGNING_PKCS11_PIN: pin = '' } = config;
    return openPkcs11Signer({ module, token, key, pin, chainFile });
  }
  if (chainFile && keyFile) return openFileSigner({ keyFile, chainFile });
  return ensureDevelopmentCa(developmentCaFolder(), {
    environment: config.ALLOW_DEV_CA ? 'development' : config.ENVIRONMENT,
    createAuthorities,
  });
}
