/* What comments, test titles and documents cite can be opened in this repository: documents, decisions, sections of the contract. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import openapi from '../../docs/openapi/openapi-v4.json' with { type: 'json' };
import { ROOT } from '../support/sources.ts';

const DECISIONS = 'docs/decisions.md';
const CITING = /\.(?:ts|mts|js|mjs|css|sql|prisma|graphql|yml|md)$|^\.ci\/|^\.env\.example$/;

interface Text {
  path: string;
  /** With each comment on one line, so that a citation may continue on the next line. */
  text: string;
}

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT, encoding: 'utf8' });
const texts: Text[] = listed
  .split('\0')
  .filter((path) => CITING.test(path) && !/generated|fixtures/.test(path) && existsSync(join(ROOT, path)))
  .filter((path) => path !== 'test/docs/citations.test.ts')
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text: text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|--|#) ?/g, ' ') };
  });

/** What `found` returns for each text, as `path: citation`. */
const inAll = (found: (text: Text) => string[]): string[] =>
  texts.flatMap((text) => found(text).map((citation) => `${text.path}: ${citation}`));

/** Links of Markdown have a test of their own. */
const withoutLinks = (text: string) => text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '');

function missingDocuments({ path, text }: Text): string[] {
  if (!text.includes('.md')) return [];
  const names = withoutLinks(text).matchAll(/(?<![\w./:-])[\w./-]+\.md\b/g);
  const folders = [ROOT, join(ROOT, dirname(path))];
  return [...new Set([...names].map(([name]) => name))].filter(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  );
}

const decisions = readFileSync(join(ROOT, DECISIONS), 'utf8');
const numbers = new Set([...decisions.matchAll(/^\| (D\d+) \|/gm)].map(([, number = '']) => number));

/** Decisions of comments, alone, listed or as a range. */
function decisionsIn(text: string): string[] {
  const [single, ranges] = [text.matchAll(/\bD\d{2,3}\b/g), text.matchAll(/\bD(\d{2,3})(?:-| to )D(\d{2,3})\b/g)];
  const between = [...ranges].flatMap(([, first, last]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `D${Number(first) + index}`),
  );
  return [...new Set([...[...single].map(([number]) => number), ...between])];
}

const rows = [...decisions.matchAll(/^\| ([^|]+) \| ((?:`[^`|]+`(?:, )?)+) \|/gm)].map(
  ([, section = '', places = '']) => ({
    section,
    places: [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
  }),
);
const sections = new Set(rows.map(({ section }) => section));

/** Sections of the contract in `(contract, Add-on: authors)`, `(contract, Review note and Abuse report)`. */
const sectionsIn = (text: string): string[] =>
  [...text.matchAll(/\(contract, ([^:;,.()]+)/g)].flatMap(([, cited = '']) =>
    sections.has(cited) ? [cited] : cited.split(' and '),
  );

const STANDARDS = /RFC \d+|X\.690|ECMA-262|OpenID Connect Core|HTML standard|CSS Syntax Module|GraphQL specification/;

/** Numbered sections of a document that is not a public standard. */
const unnamedSections = (text: string): string[] =>
  [...text.matchAll(/\bsections? \d[\d.]*|§ ?\d[\d.]*/gi)]
    .filter(({ index }) => !STANDARDS.test(text.slice(Math.max(0, index - 60), index)))
    .map(([section]) => section);

describe('what is cited', () => {
  it('is a document of this repository', () => {
    expect(inAll(missingDocuments)).toEqual([]);
  });

  it(`is a decision of ${DECISIONS}`, () => {
    expect(numbers.size).toBeGreaterThan(0);
    expect(inAll(({ text }) => decisionsIn(text).filter((number) => !numbers.has(number)))).toEqual([]);
  });

  it(`is a section of the contract in ${DECISIONS}`, () => {
    const unknown = ({ path, text }: Text) =>
      path.startsWith('docs/') ? [] : sectionsIn(text).filter((section) => !sections.has(section));
    expect(inAll(unknown)).toEqual([]);
  });

  it('is a numbered section of a public standard only', () => {
    expect(inAll(({ text }) => unnamedSections(text))).toEqual([]);
  });
});

describe(DECISIONS, () => {
  it('has no decision and no section of the contract that nothing cites', () => {
    const others = texts.filter(({ path }) => path !== DECISIONS);
    const cited = new Set(others.flatMap(({ text }) => [...decisionsIn(text), ...sectionsIn(text)]));
    expect([...numbers, ...sections].filter((each) => !cited.has(each))).toEqual([]);
  });

  it('names existing paths and schemas of version 4', () => {
    const paths = Object.keys(openapi.paths).map((path) => path.replace('/api/v4', ''));
    const known = new Set([...paths, ...Object.keys(openapi.components.schemas)]);
    expect(rows.flatMap(({ places }) => places).filter((place) => !known.has(place))).toEqual([]);
  });
});
