import { type StoreReport, verifySample, verifyStore } from '../domain/maintenance/verify-store.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Compares all stored files, or a sample of them, with their hashes and with the database. */
export async function verifyStorage(invocation: Invocation): Promise<void> {
  const size = sampleSize(invocation.optionalText('sample'));
  const found = await withDatabase(async () => {
    await requireOwnStore();
    return size === null ? verifyStore() : verifySample(size);
  });
  if (invocation.flag('json')) printJson(found);
  else print(...describe(found));
  const { lost, damaged, unreferenced } = found;
  if (lost.length + damaged.length + unreferenced.length === 0) return;
  throw new CommandError(`${lost.length} lost, ${damaged.length} damaged, ${unreferenced.length} unreferenced files`);
}

function sampleSize(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError('storage verify: --sample is a number of files');
  return Number(given);
}

function describe({ checked, lost, damaged, unreferenced, resumed }: StoreReport): string[] {
  const kinds = Object.entries({ lost, damaged, unreferenced });
  return [
    ...kinds.flatMap(([kind, names]) => names.map((sha256) => `${kind.padEnd(12)}  ${sha256}`)),
    `${checked} files were read${resumed > 0 ? `, ${resumed} of them in the interrupted run` : ''}.`,
  ];
}
