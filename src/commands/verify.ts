import { readFile } from 'node:fs/promises';
import { developmentCaFolder, readRootPem } from '../infra/signer/root-certificate.ts';
import { type Verification, verifySignedPackage } from '../package/signing/verify/verify-package.ts';
import { CommandError, type Invocation, printResult } from './command.ts';

/** Verifies a signed file and prints what is wrong with it. */
export async function verifyFile(invocation: Invocation): Promise<void> {
  const file = invocation.argument('FILE');
  const id = invocation.optionalText('id');
  const roots = [await readRoot(invocation.optionalText('root'))];
  const found = await verifySignedPackage(file, { roots, ...(id === undefined ? {} : { id }) });
  printResult(invocation, { ...found }, ...describe(file, found));
  if (!found.ok) throw new CommandError(`${file} is not a valid signed file: ${found.problems.join('; ')}`);
}

async function readRoot(path: string | undefined): Promise<string> {
  if (path !== undefined) return readFile(path, 'utf8');
  const pem = await readRootPem();
  if (pem === null)
    throw new CommandError(`There is no root certificate in ${developmentCaFolder()}; name one with --root.`);
  return pem;
}

function describe(file: string, found: Verification): string[] {
  if (!found.ok) return [`${file}: NOT VALID`, ...found.problems.map((problem) => `  - ${problem}`)];
  return [
    `${file}: the signature is valid.`,
    `  add-on       ${found.id}`,
    `  signed       ${found.signedAt?.toISOString() ?? 'at an unknown time'}`,
    `  certificate  ${found.serial}`,
    `  issuer       ${found.issuer}`,
    `  files        ${found.entries}`,
    `  sha256       ${found.sha256}`,
  ];
}
