import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { algorithmOf, hashOfAlgorithm, readChain } from './certificate-file.ts';
import { type Signer, SignerSetupError } from './signer.ts';

const signAsync = promisify(sign);
const OTHERS = 0o077;

/** Reads a key file that only its owner can read; mode and contents are those of the same open file. */
export async function readKeyText(path: string): Promise<string> {
  try {
    await using handle = await open(path, 'r');
    const { mode } = await handle.stat();
    if ((mode & OTHERS) !== 0) {
      const octal = (mode & 0o777).toString(8);
      throw new SignerSetupError(`${path} can be read or changed by others (mode ${octal}); run: chmod 600 ${path}`);
    }
    return await handle.readFile('utf8');
  } catch (error) {
    if (error instanceof SignerSetupError) throw error;
    throw new SignerSetupError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

async function readKey(path: string): Promise<KeyObject> {
  const pem = await readKeyText(path);
  if (/ENCRYPTED/.test(pem)) throw new SignerSetupError(`${path} is encrypted; the key must be without a passphrase.`);
  try {
    return createPrivateKey(pem);
  } catch {
    throw new SignerSetupError(`${path} does not hold a private key in PEM form.`);
  }
}

function publicDer(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

/**
 * A signer from two PEM files: the intermediate's private key, and the chain from that intermediate to the root. Throws
 * a SignerSetupError when others can read the key, when key and certificate do not belong together, or when the chain
 * is out of order, expired or no chain of authorities.
 */
export async function openFileSigner(files: { keyFile: string; chainFile: string; now?: Date }): Promise<Signer> {
  const key = await readKey(files.keyFile);
  const algorithm = algorithmOf(files.keyFile, key);
  const chain = await readChain(files.chainFile, files.now ?? new Date());
  if (!chain[0] || !publicDer(chain[0].publicKey).equals(publicDer(createPublicKey(key)))) {
    throw new SignerSetupError(`${files.keyFile} is not the key of the first certificate in ${files.chainFile}.`);
  }
  const hash = hashOfAlgorithm(algorithm);
  return {
    algorithm,
    chain: () => chain.map(({ raw }) => raw),
    signTbs: (bytes) => signAsync(hash, bytes, key),
  };
}
