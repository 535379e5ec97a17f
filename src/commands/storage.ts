import { type Config, config } from '../config.ts';
import { COMMAND_LINE, recordAudit } from '../domain/activity/record-audit.ts';
import { collectBlobs, countUnreferenced } from '../domain/maintenance/collect-blobs.ts';
import { copyStore, type StoreCopy } from '../domain/maintenance/copy-store.ts';
import { type StoreReport, verifySample, verifyStore } from '../domain/maintenance/verify-store.ts';
import type { BlobStore } from '../infra/blob-store/blob-store.ts';
import { openStore } from '../infra/blob-store/blobs.ts';
import { adoptStore, requireOwnStore, storeIds } from '../infra/blob-store/installation.ts';
import { db } from '../infra/db.ts';
import { CommandError, type Invocation, print, printJson, printResult, UsageError } from './command.ts';
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

/** Copies all referenced files from one store of the settings to the other. The target gets the id of the installation. */
export async function copy(invocation: Invocation): Promise<void> {
  const [from, to] = [kindOf(invocation.argument('FROM')), kindOf(invocation.argument('TO'))];
  if (from === to) throw new UsageError('storage copy: FROM and TO are the same store');
  if (config.S3_BUCKET === undefined)
    throw new UsageError('storage copy: set S3_BUCKET and the other settings of the bucket');
  const [source, target] = [openStore(from), openStore(to)];
  const found = await withDatabase(async () => {
    const { database } = await storeIds();
    await requireMarker(source, database);
    await requireMarker(target, database);
    const result = await copyStore(source, target);
    await target.writeMarker(database, 'unmarked');
    await db.$transaction((tx) =>
      recordAudit(tx, COMMAND_LINE, 'storage-copied', {
        from: source.location,
        to: target.location,
        ...counts(result),
      }),
    );
    return result;
  });
  printResult(invocation, found, ...describeCopy(found, target.location));
  const { lost, damaged } = found;
  if (lost.length + damaged.length > 0) throw new CommandError(`${lost.length} lost, ${damaged.length} damaged files`);
}

function kindOf(given: string): Config['STORAGE'] {
  if (given === 'fs' || given === 's3') return given;
  throw new UsageError(`storage copy: ${given} is no store; FROM and TO are fs or s3`);
}

/** @throws {CommandError} for a store of another installation. */
async function requireMarker(store: BlobStore, installation: string): Promise<void> {
  const marker = await store.readMarker();
  if (marker === null || marker === installation) return;
  throw new CommandError(`${store.location} is of installation ${marker}, the database of ${installation}.`);
}

const counts = ({ copied, present, lost, damaged }: StoreCopy) => ({
  ...{ copied, present, lost: lost.length, damaged: damaged.length },
});

function describeCopy({ copied, present, lost, damaged, resumed }: StoreCopy, location: string): string[] {
  const resumedText = resumed > 0 ? `, ${resumed} of them in the interrupted run` : '';
  return [
    ...Object.entries({ lost, damaged }).flatMap(([kind, names]) => names.map((name) => `${kind.padEnd(12)}  ${name}`)),
    `${copied} files were copied to ${location}, which had ${present}${resumedText}.`,
  ];
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
