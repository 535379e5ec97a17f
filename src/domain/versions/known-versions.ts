import { type Database, db, type Transaction } from '../../infra/db.ts';

/**
 * The application versions that packages may name, as `isKnownAmong` takes them. Read for each upload, so that changes by an
 * operator apply in every process at once; one text, because many rows would take longer than the rest of the statement.
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

/** Adds the versions that a package names to the known ones. In one order, so that no two uploads wait for each other. */
export async function noteApplicationVersions(tx: Transaction, ranges: readonly NamedVersions[]): Promise<void> {
  const named = ranges.flatMap(({ app, min, max, minCode, maxCode }) => [
    { app, version: min, code: minCode },
    { app, version: max, code: maxCode },
  ]);
  const keyOf = ({ app, version }: { app: string; version: string }) => `${app} ${version}`;
  const data = named.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  if (data.length > 0) await tx.applicationVersion.createMany({ data, skipDuplicates: true });
}
