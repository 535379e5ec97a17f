/*
 * A signer whose key is in a hardware security module, behind PKCS#11. The native module pkcs11js is optional; it is loaded here alone,
 * and only when a PKCS#11 library is configured.
 */
import { createHash, verify, type X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { algorithmOf, hashOfAlgorithm, readChain } from './certificate-file.ts';
import { type SignatureAlgorithm, type Signer, SignerSetupError } from './signer.ts';

/** What is used of pkcs11js, by the names of PKCS#11. */
interface Library {
  load(path: string): void;
  C_Initialize(options: { flags: number }): void;
  C_GetSlotList(tokenPresent: boolean): Buffer[];
  C_GetTokenInfo(slot: Buffer): { label: string };
  C_OpenSession(slot: Buffer, flags: number): Buffer;
  C_CloseSession(session: Buffer): void;
  C_Login(session: Buffer, userType: number, pin: string): void;
  C_FindObjectsInit(session: Buffer, template: { type: number; value: number | string }[]): void;
  C_FindObjects(session: Buffer, max: number): Buffer[];
  C_FindObjectsFinal(session: Buffer): void;
  C_SignInit(session: Buffer, mechanism: { mechanism: number }, key: Buffer): void;
  C_SignAsync(session: Buffer, data: Buffer, output: Buffer): Promise<Buffer>;
}

/** Numbers of PKCS#11. */
const CKF_OS_LOCKING_OK = 0x2;
const CKF_SERIAL_SESSION = 0x4;
const CKU_USER = 1;
const CKA_CLASS = 0x0;
const CKA_LABEL = 0x3;
const CKO_PRIVATE_KEY = 0x3;
const CKM_SHA256_RSA_PKCS = 0x40;
const CKM_ECDSA = 0x1041;
const ALREADY_LOGGED_IN = 'CKR_USER_ALREADY_LOGGED_IN';
const MAX_SIGNATURE_BYTES = 1024;

/** A process initializes each library once. */
const libraries = new Map<string, Library>();

function openLibrary(path: string): Library {
  const known = libraries.get(path);
  if (known !== undefined) return known;
  let library: Library;
  try {
    const { PKCS11 } = createRequire(import.meta.url)('pkcs11js') as { PKCS11: new () => Library };
    library = new PKCS11();
  } catch (error) {
    throw new SignerSetupError(
      `The module pkcs11js is not built; run: npm run build:hsm (${(error as Error).message})`,
    );
  }
  try {
    library.load(path);
    library.C_Initialize({ flags: CKF_OS_LOCKING_OK });
  } catch (error) {
    throw new SignerSetupError(`${path} cannot be used: ${(error as Error).message}`);
  }
  libraries.set(path, library);
  return library;
}

/** Where the key is. */
interface Pkcs11Key {
  /** Path of the PKCS#11 library. */
  module: string;
  /** Labels of the token and of the private key. */
  token: string;
  key: string;
  pin: string;
}

/** A session that is logged in, and the key. */
interface OpenKey {
  slot: Buffer;
  key: Buffer;
}

function logIn(library: Library, { module, token, key: label, pin }: Pkcs11Key): OpenKey {
  const slot = library.C_GetSlotList(true).find((each) => library.C_GetTokenInfo(each).label.trim() === token);
  if (slot === undefined) throw new SignerSetupError(`${module} has no token "${token}".`);
  // Stays open: the login of the process ends with its last session.
  const session = library.C_OpenSession(slot, CKF_SERIAL_SESSION);
  try {
    library.C_Login(session, CKU_USER, pin);
  } catch (error) {
    const { message } = error as Error;
    if (message !== ALREADY_LOGGED_IN) throw new SignerSetupError(`The token "${token}" refuses the PIN: ${message}`);
  }
  library.C_FindObjectsInit(session, [
    { type: CKA_CLASS, value: CKO_PRIVATE_KEY },
    { type: CKA_LABEL, value: label },
  ]);
  const [key, second] = library.C_FindObjects(session, 2);
  library.C_FindObjectsFinal(session);
  if (key === undefined) throw new SignerSetupError(`The token "${token}" has no private key "${label}".`);
  if (second !== undefined) throw new SignerSetupError(`The token "${token}" has several private keys "${label}".`);
  return { slot, key };
}

/** r and s as the DER sequence of two integers. */
function derOf(raw: Buffer): Buffer {
  const integer = (half: Buffer): Buffer => {
    const start = half.findIndex((byte) => byte !== 0);
    const digits = half.subarray(start === -1 ? half.length - 1 : start);
    const bytes = (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits;
    return Buffer.concat([Buffer.of(0x02, bytes.length), bytes]);
  };
  const half = raw.length / 2;
  const body = Buffer.concat([integer(raw.subarray(0, half)), integer(raw.subarray(half))]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

async function signWith(library: Library, { slot, key }: OpenKey, algorithm: SignatureAlgorithm, bytes: Buffer) {
  const isRsa = algorithm === 'rsa-sha256';
  const data = isRsa ? bytes : createHash(hashOfAlgorithm(algorithm)).update(bytes).digest();
  // A session has one operation at a time.
  const session = library.C_OpenSession(slot, CKF_SERIAL_SESSION);
  try {
    library.C_SignInit(session, { mechanism: isRsa ? CKM_SHA256_RSA_PKCS : CKM_ECDSA }, key);
    const signature = await library.C_SignAsync(session, data, Buffer.alloc(MAX_SIGNATURE_BYTES));
    return isRsa ? Buffer.from(signature) : derOf(signature);
  } finally {
    library.C_CloseSession(session);
  }
}

/**
 * A signer from a key in a token and the chain file of its certificate.
 * @throws {SignerSetupError} when the module is not built, the token or the key is missing, the PIN is wrong, or the key is not that of
 * the first certificate.
 */
export async function openPkcs11Signer(where: Pkcs11Key & { chainFile: string; now?: Date }): Promise<Signer> {
  const chain = await readChain(where.chainFile, where.now ?? new Date());
  const [{ publicKey }] = chain as [X509Certificate];
  const algorithm = algorithmOf(where.chainFile, publicKey);
  const library = openLibrary(where.module);
  let open: OpenKey | undefined = logIn(library, where);
  const sign = async (bytes: Buffer): Promise<Buffer> => {
    open ??= logIn(library, where);
    try {
      return await signWith(library, open, algorithm, bytes);
    } catch (error) {
      // The token may have been removed or restarted; the next attempt logs in again.
      open = undefined;
      throw error;
    }
  };
  const probe = Buffer.from('a test of the key');
  const signature = await sign(probe).catch((error: Error) => {
    throw new SignerSetupError(`The key "${where.key}" does not sign: ${error.message}`);
  });
  if (!verify(hashOfAlgorithm(algorithm), probe, publicKey, signature)) {
    throw new SignerSetupError(`The key "${where.key}" is not the key of the first certificate in ${where.chainFile}.`);
  }
  return { algorithm, chain: () => chain.map(({ raw }) => raw), signTbs: (bytes) => sign(bytes) };
}
