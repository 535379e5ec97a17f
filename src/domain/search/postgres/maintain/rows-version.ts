import { db } from '../../../../infra/db.ts';
import { LEXER_VERSION } from '../../analysis/lexemes.ts';

const STATE = 'search-rows';

/** The statement that records the version of this release's rows. */
export const RECORD_VERSION = `INSERT INTO service_state (name, value) VALUES ('${STATE}', '{"lexer":${LEXER_VERSION}}')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, modified = now()`;

/** The version of the analysis that made the searched rows; null when none is recorded. */
export async function rowsVersion(): Promise<number | null> {
  const state = await db.serviceState.findUnique({ where: { name: STATE } });
  const value = state?.value as { lexer: number } | undefined;
  return value?.lexer ?? null;
}

/**
 * Whether this release's analysis made the searched rows; single rows of another release may be among them. A new database has no
 * record and no other rows; its version is recorded.
 */
export async function checkRowsVersion(): Promise<boolean> {
  const version = await rowsVersion();
  if (version !== null) return version === LEXER_VERSION;
  const others = await db.$queryRaw<object[]>`SELECT FROM addon_search WHERE lexer <> ${LEXER_VERSION} LIMIT 1`;
  if (others.length > 0) return false;
  await db.$executeRawUnsafe(RECORD_VERSION);
  return true;
}
