import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Every folder of `src` except generated code. */
function foldersOfSource(): string[] {
  const entries = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((path) => !path.startsWith('src/generated'));
}

describe('docs/architecture.md', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

  it('lists exactly the folders of src', () => {
    const listed = [...text.matchAll(/^\| `(src\/[^`]+)` \|/gm)].map(([, path]) => path);
    expect(listed.sort()).toEqual(foldersOfSource().sort());
  });

  it('holds for tests: test/domain has the folders of src/domain', () => {
    const foldersOf = (path: string) =>
      readdirSync(join(ROOT, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort();
    expect(foldersOf('test/domain')).toEqual(foldersOf('src/domain'));
  });

  it('names only existing files and functions', () => {
    const files = [...text.matchAll(/`((?:src|test|prisma)\/[^`*<]+)`/g)].map(([, path = '']) => path);
    const missing = files.filter((path) => {
      const [folder, name] = [join(ROOT, path, '..'), path.replace(/\/$/, '').split('/').at(-1) ?? ''];
      return !readdirSync(folder).includes(name);
    });
    expect(missing).toEqual([]);
    const permissions = readFileSync(join(ROOT, 'src/auth/permissions.ts'), 'utf8');
    const rules = [...text.matchAll(/`(can[A-Z]\w+)`/g)].map(([, rule = '']) => rule);
    expect(rules.filter((rule) => !permissions.includes(`function ${rule}(`))).toEqual([]);
  });
});
