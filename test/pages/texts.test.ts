import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageHtml } from '../../src/pages/messages.ts';
import messagesDe from '../../src/pages/texts/messages.de.json' with { type: 'json' };
import messagesEn from '../../src/pages/texts/messages.en.json' with { type: 'json' };
import messagesHe from '../../src/pages/texts/messages.he.json' with { type: 'json' };
import { PAGES_EN } from '../../src/texts/pages.en.ts';
import { literalsOf } from '../support/html-templates.ts';
import { literalShapes, messagesIn, type Values } from '../support/source-messages.ts';
import { ROOT, readSources } from '../support/sources.ts';

const baseOf = (key: string): string => key.replace(/#(?:one|two|other)$/, '');
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const sources = readSources('src/pages').map(({ path }) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe.each([
  ['de', messagesDe],
  ['he', messagesHe],
] as [string, Readonly<Record<string, string>>][])('the translations by English text in %s', (language, texts) => {
  it('are sorted by key', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(texts).sort());
  });

  it('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = new Set(
      Object.keys(texts)
        .filter((key) => baseOf(key) !== key)
        .map(baseOf),
    );
    const missing = [...plurals].flatMap((base) => forms.map((form) => `${base}#${form}`)).filter((key) => !texts[key]);
    expect(missing).toEqual([]);
  });
});

/** Sources whose messages no page shows: those of programs, of commands and of the API's transport. */
const NOT_ON_PAGES = [
  /^src\/(?:commands|jobs|process|rest|cli|config|app|limits)\b/,
  /^src\/auth\/(?:authenticate|jwt|secret-box)/,
  /^src\/demo\/(?!sign-in)/,
  /^src\/domain\/(?:maintenance\/|transfer\/|accounts\/administration|mail\/send-|reviewing\/inbound-mail|sessions\/super-create)/,
  /^src\/domain\/statistics\/(?:mutations|import-statistics)/,
  /^src\/domain\/search\/(?!query\/|filter-input)/,
  /^src\/graphql\/(?!connections|global-id)/,
  /^src\/http\/(?:update-|send-blob)/,
  /^src\/domain\/signing\/signature-log/,
  /^src\/infra\/(?:settings|process-pool|embedded-postgres|migrations|search-server|blob-store\/installation|pictures\/picture-processes)/,
  /^src\/package\/(?:signing\/verify|validation\/linter)/,
  /^src\/pages\/(?:docs|assets)\//,
  // These tables have the texts of all languages.
  /^src\/texts\//,
];

/** Values in messages that are words of the service. */
const VALUES: Values = {
  noun: ['Images', 'Icons'],
};

/** Sentences in the same places that are no messages of pages. */
const NO_MESSAGES = new Set([
  // For the log.
  'The validator broke down ({}).',
  // For operators, among the responses of mail servers.
  'The account is disabled, has no usable address or has switched these mails off.',
  // Problems of JSON bodies.
  'The JSON is nested deeper than {} levels.',
  'The JSON has the key "__proto__".',
]);

/** Messages of Pothos about arguments that addresses of pages contain. */
const OF_LIBRARIES = [
  'Invalid cursor',
  'Invalid cursor chunk: {cursor}',
  'Invalid cursor type {type}',
  'Invalid cursor: {cursor}',
  'Invalid global ID: {id}',
];

const baseKeys = (texts: object): string[] => [...new Set(Object.keys(texts).map(baseOf))];
const shapeOfKey = (key: string): string => key.replace(/\{\w+\}/g, '{}');

describe('the messages of the service', () => {
  const program = readSources('src');

  it('are all translated', () => {
    const translated = new Set(baseKeys(messagesDe).map(shapeOfKey));
    const missing = program
      .filter(({ path }) => !NOT_ON_PAGES.some((pattern) => pattern.test(path)))
      .flatMap((source) =>
        messagesIn(source, VALUES)
          .filter((message) => !translated.has(message) && !NO_MESSAGES.has(message))
          .map((message) => `${source.path}: ${message}`),
      );
    expect(missing).toEqual([]);
  });

  it('have translations only where the service has them', () => {
    const literals = new Set(program.flatMap((source) => literalShapes(source, VALUES)));
    expect(baseKeys(messagesDe).filter((key) => !literals.has(shapeOfKey(key)))).toEqual(OF_LIBRARIES);
  });

  it('have the same translations in each language', () => {
    expect(baseKeys(messagesHe)).toEqual(baseKeys(messagesDe));
    expect(baseKeys(messagesDe)).toEqual(expect.arrayContaining(baseKeys(messagesEn)));
    for (const texts of [messagesDe, messagesHe]) {
      for (const [key, text] of Object.entries(texts))
        expect(placeholders(key)).toEqual(expect.arrayContaining(placeholders(text)));
    }
  });

  it('contain their values, and are marked as English without a translation', () => {
    const show = (text: string) => String(messageHtml({ language: 'de' }, text));
    expect(show('The form is larger than 10000 bytes.')).toBe('Das Formular ist größer als 10.000 Byte.');
    expect(show('Other <b>.')).toBe('<span lang="en" dir="ltr">Other &lt;b&gt;.</span>');
  });
});

describe('the templates', () => {
  it('use every text', () => {
    const all = sources.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/[`']([a-z][\w-]*\.[\w.-]*)\$\{/g)].map(([, prefix = '']) => prefix);
    const unused = [...new Set(Object.keys(PAGES_EN).map(baseOf))].filter(
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
