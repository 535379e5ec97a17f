import { type Database, db, type Transaction } from '../../infra/db.ts';

/**
 * The known application versions, in the format of `isKnownAmong`: one line per version. Read for each upload, so that changes
 * by an operator apply in every process at once. A single text is faster than many rows.
 */
export async function applicationVersionLines(database: Database = db): Promise<string> {
  const [all] = await database.$queryRaw<{ lines: string | null }[]>`
    SELECT string_agg(app || ' ' || version, chr(10)) AS lines FROM application_version`;
  return all?.lines ?? '';
}

interface NamedVersions {
  app: string;
  min: string;
  max: string;
  minCode: bigint;
  maxCode: bigint;
}

/** Adds the versions of these ranges to the known ones, in sorted order to prevent deadlocks. */
export async function noteApplicationVersions(tx: Transaction, ranges: readonly NamedVersions[]): Promise<void> {
  const versions = ranges.flatMap(({ app, min, max, minCode, maxCode }) => [
    { app, version: min, code: minCode },
    { app, version: max, code: maxCode },
  ]);
  const keyOf = ({ app, version }: { app: string; version: string }) => `${app} ${version}`;
  const data = versions.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  if (data.length > 0) await tx.applicationVersion.createMany({ data, skipDuplicates: true });
}
