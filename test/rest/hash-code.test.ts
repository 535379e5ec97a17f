import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hashCode } from '../../src/rest/revision-etag.ts';
import { reachableFrom, readSources } from '../support/sources.ts';

const root = mkdtempSync(join(tmpdir(), 'code-'));
afterAll(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

it('changes with all code that responses are built from, and with the libraries', () => {
  const sources = readSources('src');
  const imported = ['src/rest/handler.ts', 'src/rest/routes/index.ts', 'src/execution/schema.ts'].flatMap((entry) => [
    ...reachableFrom(entry, sources),
  ]);
  // One file of each folder, and those without a folder. Jobs run later, and the clients of the database are libraries.
  const places = new Map(
    imported
      .filter((path) => path.startsWith('src/') && !/^src\/(?:jobs|generated\/(?:prisma|pothos))/.test(path))
      .map((path) => [
        path
          .split('/')
          .slice(0, path.includes('/generated/') ? 3 : 2)
          .join('/'),
        path,
      ]),
  );
  const paths = [...places.values(), 'src/domain/languages.json', 'package-lock.json'];
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) write(path, 'before');

  const seen = new Set([hashCode(root), hashCode(root)]);
  for (const path of paths) {
    write(path, 'after');
    seen.add(hashCode(root));
  }

  expect(seen.size).toBe(paths.length + 1);
});
