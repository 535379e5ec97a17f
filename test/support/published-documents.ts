/*
 * After each test of a file that runs the service, compares every published document with the tables that it is built from. A
 * difference means that code changed a table without publishing the add-on. Also checks that every current version is listed and
 * not deleted, on which the visibility of add-ons relies.
 */
import { afterEach } from 'vitest';

/** Runs a statement that is prepared once under its name: planning takes longer than running it. */
type Query = (name: string, text: string) => Promise<Record<string, unknown>[]>;

let query: Query | null = null;

/** Sets the database whose documents are compared; null stops comparing. */
export function watchDocuments(of: Query | null): void {
  query = of;
}

/** One statement, as it runs after thousands of tests. */
const PROBLEMS = `
  (SELECT a.id AS addon, NULL::json AS now, NULL::json AS published, true AS "isVersion"
   FROM addon a JOIN version v ON v.id = a.current_version_id
   WHERE v.channel <> 'listed' OR v.deleted_at IS NOT NULL OR v.addon_id <> a.id LIMIT 1)
  UNION ALL
  (SELECT coalesce(c.addon_id, d.addon_id), c.body, d.body, false
   FROM current_addon_document c FULL JOIN addon_document d USING (addon_id)
   WHERE c.body::text IS DISTINCT FROM d.body::text
   ORDER BY 1 LIMIT 1)`;

/** @throws {Error} with an add-on whose current version is not a listed one, or whose document is out of date, with the keys that differ. */
export async function requirePublishedDocuments(): Promise<void> {
  const [problem] = (await query?.('published-documents', PROBLEMS)) ?? [];
  if (problem === undefined) return;
  const { addon, now, published, isVersion } = problem;
  if (isVersion) throw new Error(`The current version of add-on ${addon} is not a listed one`);
  const [current, stored] = [now, published].map((body) => (body ?? {}) as Record<string, unknown>);
  const keys = Object.keys({ ...current, ...stored }).filter(
    (key) => JSON.stringify(current?.[key]) !== JSON.stringify(stored?.[key]),
  );
  const what = published === null ? 'was never published' : `is out of date: ${keys.join(', ')}`;
  throw new Error(`The document of add-on ${addon} ${what}`);
}

afterEach(requirePublishedDocuments);
