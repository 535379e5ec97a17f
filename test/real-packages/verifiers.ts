import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../clients/client.ts';
import type { Site } from '../clients/site.ts';

export interface Verdict {
  accepted: boolean;
  /** What the verifier printed. */
  text: string;
}

/** A program that verifies that a file is signed for an add-on under the service's root. */
export interface Verifier {
  name: string;
  /** Whether it fails to detect files that are in the signed list and missing in the archive. */
  missesRemovedFiles: boolean;
  /** `upload` is the unsigned package, for verifiers that compare both. */
  verify(file: string, id: string, upload: string): Promise<Verdict>;
}

/**
 * The verifiers that this machine can run: the service's command, `jarsigner` of a JDK, and the program at `independent`.
 * Calls `skip` with each missing one.
 */
export async function findVerifiers(
  site: Site,
  folder: string,
  independent: string | undefined,
  skip: (what: string) => void,
): Promise<Verifier[]> {
  const root = join(folder, 'root.pem');
  await writeFile(root, site.rootPem);
  const verifiers = [ownVerifier(site, root)];
  if (independent === undefined) skip('an independent verifier, named with --verifier');
  else verifiers.push(independentVerifier(independent, root));
  const jar = await jarVerifier(root, folder);
  if (jar === null) skip('jarsigner, which is not installed');
  else verifiers.push(jar);
  return verifiers;
}

function ownVerifier(site: Site, root: string): Verifier {
  return {
    name: 'addons verify',
    missesRemovedFiles: false,
    verify: (file, id) =>
      site.run('verify', file, '--id', id, '--root', root).then(
        (text) => ({ accepted: true, text }),
        (error: Error & { code?: unknown; stderr?: string }) => {
          if (error.code !== 1) throw error;
          return { accepted: false, text: error.stderr ?? '' };
        },
      ),
  };
}

/** Runs `PROGRAM --root PEM --id ID --unsigned UPLOAD --require-cose FILE`, which exits with 0 or 1. */
function independentVerifier(program: string, root: string): Verifier {
  return {
    name: 'independent verifier',
    missesRemovedFiles: false,
    verify: async (file, id, upload) => {
      const words = ['--root', root, '--id', id, '--unsigned', upload, '--require-cose', '--no-jarsigner', file];
      const { exitCode, output } = await runProgram('python3', [program, ...words]);
      if (exitCode !== 0 && exitCode !== 1) throw new Error(`${program} ended with ${exitCode}:\n${output}`);
      return { accepted: exitCode === 0, text: output };
    },
  };
}

const PASSWORD = 'changeit';
/** A run is short: a compiler that takes more time than it saves, and several threads for garbage, would be most of it. */
const SHORT_RUN = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
/** A bit of the exit status of `jarsigner -strict`: the key store contains the root, not the signer. */
const NOT_AN_ALIAS = 32;

async function jarVerifier(root: string, folder: string): Promise<Verifier | null> {
  if ((await runProgram('jarsigner', ['-version'])).exitCode === -1) return null;
  const keystore = join(folder, 'root.p12');
  const store = ['-keystore', keystore, '-storepass', PASSWORD, '-storetype', 'PKCS12'];
  const { exitCode, output } = await runProgram('keytool', [
    '-importcert',
    '-noprompt',
    '-alias',
    'root',
    '-file',
    root,
    ...store,
  ]);
  if (exitCode !== 0) throw new Error(`keytool ended with ${exitCode}:\n${output}`);
  return {
    name: 'jarsigner -verify -strict',
    missesRemovedFiles: true,
    verify: async (file) => {
      const words = [...SHORT_RUN, '-J-Duser.language=en', '-verify', '-strict', ...store, file];
      const { exitCode, output } = await runProgram('jarsigner', words);
      const accepted = (exitCode & ~NOT_AN_ALIAS) === 0 && /^jar verified/m.test(output);
      return { accepted, text: `exit status ${exitCode}\n${output}` };
    },
  };
}
