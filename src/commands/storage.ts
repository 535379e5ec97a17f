import { COMMAND_LINE, recordAudit } from '../domain/activity/record-audit.ts';
import { type StoreReport, verifySample, verifyStore } from '../domain/maintenance/verify-store.ts';
import { adoptStore, requireOwnStore } from '../infra/blob-store/installation.ts';
import { db } from '../infra/db.ts';
import { collectBlobs, countUnreferenced } from '../jobs/handlers/collect-blobs.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { print, printJson, printResult } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Gives the store the id of the database. */
export async function adopt(invocation: Invocation): Promise<void> {
  const { ids, found } = await withDatabase(async () => {
    const changed = await adoptStore();
    await db.$transaction((tx) => recordAudit(tx, COMMAND_LINE, 'storage-adopted', { ...changed }));
    return { ids: changed, found: await countUnreferenced() };
  });
  if (invocation.flag('json')) return printJson({ installation: ids.database, before: ids.store, ...found });
  print(
    `The store is of installation ${ids.database} now; it was ${ids.store === null ? 'of none' : `of ${ids.store}`}.`,
    `Of its ${found.stored} files, the database references all but ${found.unreferenced}.`,
  );
}

/** Counts the files that no row references, or removes them. */
export async function collect(invocation: Invocation): Promise<void> {
  const isConfirmed = invocation.flag('confirm');
  const found = await withDatabase(async () => {
    if (!isConfirmed) return { ...(await countUnreferenced()), removed: 0 };
    const { stored, unreferenced, removed, isDeferred } = await collectBlobs({ isConfirmed });
    if (isDeferred) throw new CommandError('a backup copies files now; nothing was removed');
    await db.$transaction((tx) =>
      recordAudit(tx, COMMAND_LINE, 'storage-collected', { stored, unreferenced, removed }),
    );
    return { stored, unreferenced, removed };
  });
  if (invocation.flag('json')) return printJson(found);
  const { stored, unreferenced, removed } = found;
  if (isConfirmed) print(`Removed ${removed} of ${stored} files.`);
  else
    print(`No row references ${unreferenced} of ${stored} files; --confirm removes those that are older than a day.`);
}

/** Compares all stored files, or a sample of them, with their hashes and with the database. */
export async function verifyStorage(invocation: Invocation): Promise<void> {
  const size = sampleSize(invocation.optionalText('sample'));
  const found = await withDatabase(async () => {
    await requireOwnStore();
    return size === null ? verifyStore() : verifySample(size);
  });
  printResult(invocation, found, ...describe(found));
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
