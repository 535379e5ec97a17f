import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readSources } from '../support/sources.ts';

type Table = Readonly<Record<string, string>>;

/** A table, and the English one of its kind. */
interface TableFile {
  file: string;
  language: string;
  texts: Table;
  english: Table;
}

const folder = join(ROOT, 'src/texts');

/** The table that a file exports first. */
async function tableIn(file: string): Promise<Table> {
  const exported: Record<string, Table> = await import(join(folder, file));
  return Object.values(exported).find((each) => !Object.hasOwn(each, 'default')) ?? {};
}

const files = readdirSync(folder).filter((file) => /^\w+\.(?:en|de|he)\.ts$/.test(file));
const tables: TableFile[] = await Promise.all(
  files.map(async (file) => {
    const [kind = '', language = ''] = file.split('.');
    return { file, language, texts: await tableIn(file), english: await tableIn(`${kind}.en.ts`) };
  }),
);

const keyOf = (entry: string): string => entry.replace(/#\w+$/, '');
const keysOf = (texts: Table): string[] => [...new Set(Object.keys(texts).map(keyOf))].sort();

/** The names of the parameters of each text, in all its plural forms. */
function parametersOf(texts: Table): Record<string, string[]> {
  const names = Object.groupBy(
    Object.entries(texts).flatMap(([entry, text]) =>
      [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ key: keyOf(entry), name })),
    ),
    ({ key }) => key,
  );
  return Object.fromEntries(
    Object.entries(names).map(([key, found = []]) => [key, [...new Set(found.map(({ name }) => name))].sort()]),
  );
}

describe.each(tables)('the table $file', ({ language, texts, english }) => {
  it('has the keys of the English table, and only those', () => {
    expect(keysOf(texts)).toEqual(keysOf(english));
  });

  it('is sorted by key', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(texts).sort());
  });

  it('has every plural form of its language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = keysOf(english).filter((key) => Object.hasOwn(english, `${key}#other`));
    const missing = plurals.flatMap((key) => forms.map((form) => `${key}#${form}`)).filter((entry) => !texts[entry]);
    expect(missing).toEqual([]);
  });

  it('has no parameter that the English texts lack', () => {
    const known = parametersOf(english);
    const unknown = Object.entries(parametersOf(texts)).filter(
      ([key, names]) => !names.every((name) => known[key]?.includes(name)),
    );
    expect(unknown).toEqual([]);
  });
});

describe('the texts', () => {
  it('have a table in each language for each kind', () => {
    const kinds = new Set(files.map((file) => file.split('.')[0]));
    expect(files.sort()).toEqual([...kinds].flatMap((kind) => ['de', 'en', 'he'].map((each) => `${kind}.${each}.ts`)));
    expect(kinds.size).toBeGreaterThan(2);
  });

  it.each(['api', 'mails'])('of %s are all used', async (kind) => {
    const sources = readSources('src').filter(({ path }) => !path.startsWith('src/texts/'));
    const all = sources.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/`([a-z][\w-]*\.)\$\{/g)].map(([, prefix = '']) => prefix);
    const unused = keysOf(await tableIn(`${kind}.en.ts`)).filter(
      (key) => !all.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});
