import { expect, it } from 'vitest';
import { readSources } from './support/sources.ts';

/** A function, or a constant with an arrow function of parenthesised parameters. */
const EXPORTED_FUNCTION =
  /^export (?:async )?function\*? (\w+)|^export const (\w+)(?:: [^=]+)? =\s*(?:async )?(?:<[^>]*>)?\(/gm;

/** Short names of readers in src/http and src/domain/transfer, which may not increase. */
const HOMONYMS = ['orNull', 'text'];

it('Two files of src export no functions of the same name', () => {
  const files = new Map<string, string[]>();
  for (const { path, text } of readSources('src'))
    for (const [, declared, assigned] of text.matchAll(EXPORTED_FUNCTION)) {
      const name = declared ?? assigned ?? '';
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  expect(files.size).toBeGreaterThan(500);
  const shared = [...files].filter(([name, paths]) => paths.length > 1 && !HOMONYMS.includes(name));
  expect(shared).toEqual([]);
});
