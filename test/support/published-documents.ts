/*
 * After each test of a file that runs the service, every published document is held against the tables that it is made of.
 * A difference means that somebody changed what a document shows and did not publish it.
 */
import { afterEach } from 'vitest';

type Query = (text: string) => Promise<Record<string, unknown>[]>;

let query: Query | null = null;

/** Starts watching the documents of a database; null ends it. */
export function watchDocuments(of: Query | null): void {
  query = of;
}

const DIFFERENCES = `
  SELECT coalesce(c.addon_id, d.addon_id) AS addon, c.body AS now, d.body AS published
  FROM current_addon_document c FULL JOIN addon_document d USING (addon_id)
  WHERE c.body::text IS DISTINCT FROM d.body::text
  ORDER BY 1 LIMIT 3`;

/** @throws naming the add-ons whose documents are out of date, and what differs. */
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
