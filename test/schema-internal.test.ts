/* What the public schema leaves out, and what the domain knows of REST. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SCHEMA_FILE } from '../src/execution/print-schema.ts';
import { ROOT, readSources } from './support/sources.ts';

/** Fields, arguments and input fields that only REST and pages have. Fewer are better. */
const INTERNAL_FIELDS = 19;

/** A parameter in an OpenAPI document. */
const PARAMETER = /"name": "(\w+)",\s*"in": "query"/g;

const program = readSources('src');

it(`at most ${INTERNAL_FIELDS} fields and arguments are internal`, () => {
  const marks = program.flatMap(({ text }) => text.match(/\bsubGraphs: INTERNAL\b(?!`)/g) ?? []);
  expect(marks.length).toBeLessThanOrEqual(INTERNAL_FIELDS);
});

it('the domain has the names of the schema where REST parameters have another spelling', () => {
  const spelling = (name: string) => name.replaceAll('_', '').toLowerCase();
  const names = new Set(readFileSync(SCHEMA_FILE, 'utf8').match(/\b[a-z]\w*(?=[:(])/g));
  const spellings = new Set([...names].map(spelling));
  const documents = ['v3', 'v4', 'v5'].map((version) =>
    readFileSync(join(ROOT, `docs/openapi/openapi-${version}.json`), 'utf8'),
  );
  const parameters = new Set(documents.flatMap((text) => [...text.matchAll(PARAMETER)].map(([, name = '']) => name)));
  const others = [...parameters].filter((name) => !names.has(name) && spellings.has(spelling(name)));
  expect(others).toEqual(expect.arrayContaining(['appversion', 'exclude_addons']));
  const uses = new RegExp(`\\b(?:${others.join('|')})\\b`);
  const domain = program.filter(({ path }) => path.startsWith('src/domain/'));
  // Reports store what browsers send under the names that they send.
  expect(domain.filter(({ text }) => uses.test(text)).map(({ path }) => path)).toEqual([
    'src/domain/abuse/submit-report.ts',
  ]);
});
