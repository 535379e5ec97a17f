/* Pages that show the code of packages. */
import { expect } from 'vitest';
import { addon, type VersionFacts } from './factories.ts';
import { type PackageFiles, zip } from './packages.ts';
import type { Visitor } from './pages.ts';
import { storePackage } from './store-package.ts';

let addons = 0;

/** A public add-on with public source, and a version for each package: 1.0, 2.0 and so on. Returns its path. */
export async function published(...packages: PackageFiles[]): Promise<string> {
  const slug = `code-${++addons}`;
  const versions: VersionFacts[] = await Promise.all(
    packages.map(async (each) => ({ files: [await storePackage(await zip(each))] })),
  );
  await addon({ slug, isSourcePublic: true, versions });
  return `/addon/${slug}/`;
}

/** The page at a path with these parameters. */
export async function pageText(visitor: Visitor, path: string, query: Record<string, string>): Promise<string> {
  const { status, text } = await visitor.get(`${path}?${new URLSearchParams(query)}`);
  expect(status, path).toBe(200);
  return text;
}

/** The page without its tree of files. */
export const mainOf = (page: string): string => page.slice(page.indexOf('</nav></details>'));

/** The tree as text, with the open folders marked. */
export const treeIn = (page: string): string =>
  page
    .slice(page.indexOf('class="file-tree"'), page.indexOf('</nav></details>'))
    .replace(/<details open>/g, '[open] ')
    .replace(/^[^>]*>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The cells of the code table: sign and text of each line. */
export const linesIn = (page: string): string[] =>
  [...page.matchAll(/<td class="code-sign">(.?)<\/td><td>(.*?)<\/td>/g)].map(
    ([, sign = '', cell = '']) => `${sign}${cell.replace(/<[^>]+>/g, '')}`,
  );
