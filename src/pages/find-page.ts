import { decodeSegments, matchPath, type PathPattern, pathPattern } from '../http/path-pattern.ts';
import type { PageRow } from './page.ts';

/** Finds the page of a percent-encoded path, with the decoded parameters of the path; null for other addresses. */
export type FindPage = (rawPath: string) => { row: PageRow; path: Record<string, string> } | null;

/** Makes the function that finds pages of a table. Paths match with and without a trailing slash. */
export function pageFinder(pages: readonly PageRow[]): FindPage {
  const byLength = new Map<number, { row: PageRow; pattern: PathPattern }[]>();
  for (const row of pages) {
    const pattern = row.path === '/' ? [] : pathPattern(row.path);
    byLength.set(pattern.length, [...(byLength.get(pattern.length) ?? []), { row, pattern }]);
  }
  return (rawPath) => {
    const segments = rawPath === '/' ? [] : decodeSegments(rawPath);
    if (segments === null) return null;
    for (const { row, pattern } of byLength.get(segments.length) ?? []) {
      const path = matchPath(pattern, segments);
      if (path !== null) return { row, path };
    }
    return null;
  };
}
