import { type Database, db, type Transaction } from '../../infra/db.ts';
import type { IsKnownVersion } from '../../package/manifest/compatibility.ts';

/**
 * Which versions of applications packages may name: those in the table, and all whose major version is there as `N.0` or
 * `N.*`. Read anew for each upload, so that what an operator adds counts in every process at once; that is one statement over
 * a small table, and one text, as a row for each of them would take longer than all the rest of it.
 */
export async function knownApplicationVersions(database: Database = db): Promise<IsKnownVersion> {
  const [all] = await database.$queryRaw<{ keys: string | null }[]>`
    SELECT string_agg(app || ' ' || version, chr(10)) AS keys FROM application_version`;
  const known = `\n${all?.keys ?? ''}\n`;
  return (app, version) => {
    const major = /^\d+/.exec(version)?.[0] ?? '*';
    return [version, `${major}.0`, `${major}.*`].some((name) => known.includes(`\n${app} ${name}\n`));
  };
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
