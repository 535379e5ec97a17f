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

const DIFFERENCES = `
  SELECT coalesce(c.addon_id, d.addon_id) AS addon, c.body AS now, d.body AS published
  FROM current_addon_document c FULL JOIN addon_document d USING (addon_id)
  WHERE c.body::text IS DISTINCT FROM d.body::text
  ORDER BY 1 LIMIT 3`;

const WRONG_CURRENT_VERSIONS = `
  SELECT a.id AS addon FROM addon a JOIN version v ON v.id = a.current_version_id
  WHERE v.channel <> 'listed' OR v.deleted_at IS NOT NULL OR v.addon_id <> a.id LIMIT 3`;

/** @throws {Error} with an add-on whose current version is not one of its listed versions. */
export async function requireListedCurrentVersions(): Promise<void> {
  const wrong = (await query?.('current-versions', WRONG_CURRENT_VERSIONS)) ?? [];
  if (wrong.length > 0) throw new Error(`The current version of add-on ${wrong[0]?.addon} is not a listed one`);
}

/** @throws {Error} with the add-ons whose documents are out of date, and the keys that differ. */
export async function requirePublishedDocuments(): Promise<void> {
  for (const { addon, now, published } of (await query?.('published-documents', DIFFERENCES)) ?? []) {
    const [current, stored] = [now, published].map((body) => (body ?? {}) as Record<string, unknown>);
    const keys = Object.keys({ ...current, ...stored }).filter(
      (key) => JSON.stringify(current?.[key]) !== JSON.stringify(stored?.[key]),
    );
    const what = published === null ? 'was never published' : `is out of date: ${keys.join(', ')}`;
    throw new Error(`The document of add-on ${addon} ${what}`);
  }
}

afterEach(requirePublishedDocuments);
afterEach(requireListedCurrentVersions);
