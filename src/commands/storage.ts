import { COMMAND_LINE, recordAudit } from '../domain/activity/record-audit.ts';
import { adoptStore } from '../infra/blob-store/installation.ts';
import { db } from '../infra/db.ts';
import { collectBlobs, countUnreferenced } from '../jobs/handlers/collect-blobs.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
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
    const { stored, unreferenced, removed } = await collectBlobs({ isConfirmed });
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
