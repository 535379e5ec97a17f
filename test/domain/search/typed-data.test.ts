import { describe, expect, it } from 'vitest';
import { readSearchRequest } from '../../../src/domain/search/query/read-search-request.ts';
import { TYPED_CASES, TYPED_CATALOGUE, TYPED_LANGUAGES } from '../../support/search/typed/index.ts';
import { idsIn, KINDS, language } from '../../support/search/typed/tables.ts';

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

  it('is read from tables that report a wrong line', () => {
    expect(() => language('de', '1 | many | Name', '')).toThrow('Not an add-on: 1 | many | Name');
    expect(() => language('de', '', 'always | exact | wolke | =1')).toThrow('Neither required nor nice: always');
    expect(() => language('de', '', 'nice | odd | wolke | =1')).toThrow('Unknown kind "odd"');
    expect(() => language('de', '', 'nice | exact | wolke | 1')).toThrow('Unknown condition "1"');
    expect(() => language('de', '', 'nice | exact | wolke | =1 | lang')).toThrow('"lang" is not property=value');
  });
});
