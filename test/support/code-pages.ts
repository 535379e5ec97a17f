/* Pages that show the code of packages. */
import { expect } from 'vitest';
import { addon, type VersionFacts } from './factories.ts';
import { type PackageFiles, zip } from './packages.ts';
import { documentOf, textOf, type Visitor } from './pages.ts';
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

/** Attempts to read a page whose package the service still reads. */
const ATTEMPTS = 8;

/** The response to a request for a page of code, without the checks of the test client; the last one if a busy machine reads the package for long. */
export async function fetchCode(url: string, headers: Record<string, string> = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual' });
    if (response.status !== 503 || attempt === ATTEMPTS) return response;
    await response.text();
  }
}

/**
 * Scripts, frames and handlers that are not those of the site. Texts of files have no `<`. Patterns, because the parser takes up to 0.1 s of
 * processor for a page, of which hundreds are opened.
 */
const RUNS = [
  /<script(?![^>]* src="\/assets\/)[^>]*>/i,
  /<(?:iframe|object|embed|base|foreignObject|portal|frame)\b/i,
  /<[a-z][^<>]* on[a-z]+=/i,
  /<[a-z][^<>]* (?:href|src|action|formaction|data)="\s*(?:javascript|data|vbscript):/i,
  /<[a-z][^<>]* style=/i,
];

/** A page whose policy and content let nothing run; or a text to save. */
export function expectInert({ headers, text }: { headers: Headers; text: string }): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  if (headers.get('content-disposition') !== null) {
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('attachment');
    return;
  }
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const pattern of RUNS) expect(text.match(pattern)?.[0]).toBeUndefined();
}

/** The text of a page without its tree of files. */
export const mainOf = (page: string): string => {
  const $ = documentOf({ text: page });
  $('.file-tree').remove();
  return textOf({ text: $.html('main') });
};

/** The tree as text, with the open folders marked. */
export const treeIn = (page: string): string => {
  const $ = documentOf({ text: page });
  $('.file-tree details[open] > summary').prepend('[open] ');
  return textOf({ text: $.html('.file-tree') });
};

/** The texts of the elements that match a selector. */
export const textsIn = (page: string, selector: string): string[] => {
  const $ = documentOf({ text: page });
  return [...$(selector)].map((element) => $(element).text());
};

/** The cells of the code table: sign and text of each line. */
export const linesIn = (page: string): string[] => {
  const signs = textsIn(page, '.code-sign');
  return textsIn(page, '.code-sign + td').map((text, index) => `${signs[index]}${text}`);
};
