import { describe, expect, it } from 'vitest';
import { reachableFrom, readSources } from '../support/sources.ts';

describe('the web process', () => {
  it('imports no code that unpacks packages or archives of source code, which would block its event loop', () => {
    const reachable = reachableFrom('src/app.ts', readSources('src'));
    expect(reachable).toContain('src/domain/submission/accept-upload.ts');
    const unpacking = [...reachable].filter((path) =>
      /^src\/package\/(zip\/(read|verify|entry)-|source\/(list-|bzip2))|read-package\.ts$/.test(path),
    );
    expect(unpacking).toEqual([]);
  });
});
