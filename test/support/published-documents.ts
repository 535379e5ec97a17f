/*
 * After each test of a file that runs the service, compares every published document with the tables that it is built from. A
 * difference means that code changed a table without publishing the add-on.
 */
import { afterEach } from 'vitest';

type Query = (text: string) => Promise<Record<string, unknown>[]>;

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

/** @throws {Error} with the add-ons whose documents are out of date, and the keys that differ. */
export async function requirePublishedDocuments(): Promise<void> {
  for (const { addon, now, published } of (await query?.(DIFFERENCES)) ?? []) {
    const [current, stored] = [now, published].map((body) => (body ?? {}) as Record<string, unknown>);
    const keys = Object.keys({ ...current, ...stored }).filter(
      (key) => JSON.stringify(current?.[key]) !== JSON.stringify(stored?.[key]),
    );
    const what = published === null ? 'was never published' : `is out of date: ${keys.join(', ')}`;
    throw new Error(`The document of add-on ${addon} ${what}`);
  }
}

afterEach(requirePublishedDocuments);
