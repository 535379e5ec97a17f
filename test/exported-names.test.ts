import { expect, it } from 'vitest';
import { readSources } from './support/sources.ts';

const EXPORTED = /^export (?:async |abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;

const files = new Map<string, Set<string>>();
for (const { path, text } of readSources('src'))
  for (const [, name = ''] of text.matchAll(EXPORTED)) files.set(name, (files.get(name) ?? new Set()).add(path));

/** Words that say what kind of code a name is, and not what it is about. */
const GENERIC =
  /^(?:content|data|field|fields|form|found|item|items|keys?|kinds?|level|list|manifest|match|matches|method|outcome|parameter|rows?|result|run|shown|target|values?)$/i;

it('Two files of src export nothing of the same name', () => {
  expect(files.size).toBeGreaterThan(1_500);
  expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

it('Exported names are more than one generic word, and those of addresses end in Url', () => {
  const names = [...files.keys()].filter((name) => GENERIC.test(name) || name.endsWith('Href'));
  // The function with which pages declare a form.
  expect(names.sort()).toEqual(['form']);
});
