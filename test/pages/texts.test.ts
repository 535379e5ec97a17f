import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MESSAGES, messageText } from '../../src/pages/messages.ts';
import de from '../../src/pages/texts/de.json' with { type: 'json' };
import en from '../../src/pages/texts/en.json' with { type: 'json' };
import he from '../../src/pages/texts/he.json' with { type: 'json' };
import { translator } from '../../src/pages/texts.ts';
import { literalsOf } from '../support/html-templates.ts';
import { ROOT, readSources } from '../support/sources.ts';

const files: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['en', en],
  ['de', de],
  ['he', he],
];

const baseOf = (key: string): string => key.split('#')[0] ?? '';
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The placeholders of each text, in all its plural forms. */
function shapeOf(texts: Readonly<Record<string, string>>): string[] {
  const names = new Map<string, Set<string>>();
  for (const [key, text] of Object.entries(texts)) {
    names.set(baseOf(key), new Set([...(names.get(baseOf(key)) ?? []), ...placeholders(text)]));
  }
  return [...names].map(([key, found]) => `${key}: ${[...found].sort()}`).sort();
}

const sources = readSources('src/pages').map(({ path }) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe.each(files)('the texts in %s', (language, texts) => {
  it('are sorted by key', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(texts).sort());
  });

  it('have the keys and placeholders of the English ones', () => {
    expect(shapeOf(texts)).toEqual(shapeOf(en));
  });

  it('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = new Set(
      Object.keys(texts)
        .filter((key) => key.includes('#'))
        .map(baseOf),
    );
    const missing = [...plurals].flatMap((base) => forms.map((form) => `${base}#${form}`)).filter((key) => !texts[key]);
    expect(missing).toEqual([]);
  });
});

describe('the messages of refusals', () => {
  it('that are translated are those that the service has', () => {
    const program = readSources('src')
      .filter(({ path }) => path !== 'src/pages/messages.ts')
      .map(({ text }) => text);
    /** As the source composes it. */
    const forms = (message: string) => [
      message,
      message.replace(/^Images/, `\${noun}`),
      ...['MAX_LABEL', 'MAX_KEYS'].map((limit) => message.replace(/\d+/, `\${${limit}}`)),
    ];
    const isKnown = (message: string) => forms(message).some((form) => program.some((text) => text.includes(form)));
    const unknown = Object.keys(MESSAGES).filter((message) => !isKnown(message));
    expect(unknown).toEqual([]);
    for (const [message, key] of Object.entries(MESSAGES)) expect(en).toHaveProperty([key], message);
  });

  it('contain their values, and are marked as English without a translation', () => {
    const german = { t: translator('de'), language: 'de' } as const;
    const show = (message: string) => String(messageText(german, message));
    expect(show('Ensure this field has no more than 10000 characters.')).toBe('Höchstens 10.000 Zeichen.');
    expect(show('Request was throttled. Expected available in 1 second.')).toContain('in 1 Sekunde erneut.');
    expect(show('The file is larger than 4 MB.')).toBe('Die Datei ist größer als 4 MB.');
    expect(show('Type "<b>".')).toBe('Geben Sie „<bdi>&lt;b&gt;</bdi>“ ein.');
    expect(show('Other <b>.')).toBe('<span lang="en" dir="ltr">Other &lt;b&gt;.</span>');
  });
});

describe('the templates', () => {
  it('use every text', () => {
    const all = sources.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/[`']([a-z][\w-]*\.[\w.-]*)\$\{/g)].map(([, prefix = '']) => prefix);
    const unused = [...new Set(Object.keys(en).map(baseOf))].filter(
      (key) => !all.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    // The layout shows the notices of forms by their names.
    expect(unused.filter((key) => !key.startsWith('done.'))).toEqual([]);
  });

  it('contain no words of their own', () => {
    const found = sources.flatMap(({ path, text }) =>
      literalsOf(text)
        .filter((literal) => /\p{L}/u.test(literal))
        .map((literal) => `${path}: ${literal.trim()}`),
    );
    expect(found).toEqual([]);
  });

  it('have neither inline styles nor inline scripts', () => {
    const found = sources.filter(({ text }) => /<style|<script>| style="| on[a-z]+="/.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});
