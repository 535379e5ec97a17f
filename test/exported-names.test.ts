import { expect, it } from 'vitest';
import { readSources } from './support/sources.ts';

const EXPORTED = /^export (?:async |abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;

it('Two files of src export nothing of the same name', () => {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of readSources('src'))
    for (const [, name = ''] of text.matchAll(EXPORTED)) files.set(name, (files.get(name) ?? new Set()).add(path));
  expect(files.size).toBeGreaterThan(1_500);
  expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
});
