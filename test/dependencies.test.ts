import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readSources } from './support/sources.ts';

describe('the libraries that the program imports', () => {
  it('are dependencies of this package', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const known = new Set(Object.keys(dependencies));
    // Generators and tools for migrations are development dependencies.
    const dev = new Set(Object.keys(devDependencies));
    const undeclared = [...readSources('src'), ...readSources('prisma')].flatMap(({ path, imports }) =>
      imports
        .filter(({ kind, target }) => kind === 'package' && !known.has(target))
        .filter(({ target }) => !(path.startsWith('prisma/') && dev.has(target)))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(undeclared).toEqual([]);
  });
});
