import type { TestApp } from './app.ts';

/** The ids of categories of `desktop_browser` and a type, by slug; undefined for unknown slugs. */
export async function categoryIds(app: TestApp, type: string, ...slugs: string[]): Promise<(number | undefined)[]> {
  const rows = await app.sql<{ id: number; slug: string }>(
    "SELECT id, slug FROM category WHERE app = 'desktop_browser' AND type = $1",
    [type],
  );
  return slugs.map((slug) => rows.find((row) => row.slug === slug)?.id);
}
