import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSearchRequest } from '../../../src/domain/search/query/search-request.ts';
import { createTestDatabase } from '../../support/database.ts';
import { expectSame } from '../../support/search/engine-properties.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';
import {
  beginningsOf,
  idsIn,
  KINDS,
  NAMES_TO_TYPE,
  readTypedQueries,
  searchOf,
  TYPED_CASES,
  TYPED_CATALOGUE,
  TYPED_LANGUAGES,
} from '../../support/search/typed-queries.ts';
import { testTypedQueries } from '../../support/search/typed-suite.ts';

const database = await createTestDatabase();
const { closeDatabase } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');

describe('the set of typed queries', () => {
  it('has at least 300 add-ons, 420 queries and 12 languages with 15 add-ons and 20 queries each', () => {
    const large = TYPED_LANGUAGES.filter(({ addons, cases }) => addons.length >= 15 && cases.length >= 20);
    expect(TYPED_CATALOGUE.length).toBeGreaterThanOrEqual(300);
    expect(TYPED_CASES.length).toBeGreaterThanOrEqual(420);
    expect(large.length).toBeGreaterThanOrEqual(12);
  });

  it('has several required queries of each kind', () => {
    for (const kind of KINDS) {
      const required = TYPED_CASES.filter((entry) => entry.kind === kind && entry.isRequired);
      expect(required.length, kind).toBeGreaterThanOrEqual(2);
    }
  });

  it('has no two add-ons with the same id or name and no query twice', () => {
    const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index);
    expect(repeated(TYPED_CATALOGUE.map(({ id }) => `${id}`))).toEqual([]);
    expect(repeated(TYPED_CATALOGUE.flatMap(({ name }) => Object.values(name)))).toEqual([]);
    expect(repeated(TYPED_CASES.map(({ values }) => JSON.stringify(Object.entries(values).sort())))).toEqual([]);
  });

  it('names only add-ons of the catalogue in expectations, at least one condition each', () => {
    const ids = new Set(TYPED_CATALOGUE.map(({ id }) => id));
    for (const { expect: expected, values } of TYPED_CASES) {
      expect(Object.keys(expected).length, values.q).toBeGreaterThanOrEqual(1);
      expect(
        idsIn(expected).filter((id) => !ids.has(id)),
        values.q,
      ).toEqual([]);
    }
  });

  it('has only queries that a search accepts', () => {
    for (const { values } of TYPED_CASES) {
      expect(() => readSearchRequest(values, { locale: values.lang, except: [] }), values.q).not.toThrow();
    }
  });

  it('is read from lines of which a wrong one is reported', () => {
    const read = (line: object) => () => readTypedQueries(`{"language":"de","about":"x"}\n${JSON.stringify(line)}`);
    const query = { query: 'wolke', kind: 'exact', expect: { whole: [1] } };
    expect(read(query)()).toMatchObject([
      { locale: 'de', cases: [{ kind: 'exact', values: { lang: 'de', q: 'wolke' } }] },
    ]);
    expect(read({ addon: 1, users: 'many', name: 'Name' })).toThrow('{"addon":1,"users":"many","name":"Name"}');
    expect(read({ ...query, kind: 'odd' })).toThrow('at kind');
    expect(read({ ...query, expect: { second: 1 } })).toThrow('Unrecognized key: "second"');
    expect(read({ ...query, isDesirable: 'always' })).toThrow('at isDesirable');
    expect(read({ ...query, sorted: true })).toThrow('Unrecognized key: "sorted"');
  });
});

describe('the search in PostgreSQL', () => {
  beforeAll(() => loadCatalogue(TYPED_CATALOGUE));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  testTypedQueries(engine);

  it('suggests the same as the reference scorer for each letter of 20 names', async () => {
    const every = Math.floor(NAMES_TO_TYPE.length / 20);
    for (const typed of NAMES_TO_TYPE.filter((_name, index) => index % every === 0).slice(0, 20)) {
      const requests = beginningsOf(typed).map((text) => searchOf(text, typed.locale));
      const suggested = await Promise.all(requests.map((request) => engine.autocomplete(request)));
      for (const [index, request] of requests.entries()) {
        const expected = referenceSearch(TYPED_CATALOGUE, request, { namesOnly: true }).slice(0, 10);
        expectSame(suggested[index] ?? [], expected);
      }
    }
  });
});
