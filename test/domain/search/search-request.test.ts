import { describe, expect, it } from 'vitest';
import {
  readSearchRequest,
  type SearchOptions,
  type SearchValues,
} from '../../../src/domain/search/query/search-request.ts';
import { InvalidInputError } from '../../../src/errors.ts';
import { encodeApplicationVersion } from '../../../src/package/application-version.ts';
import { beginningWith } from '../../support/expect-refusal.ts';

const options: SearchOptions = { locale: 'en-US', except: [] };
const read = (values: SearchValues, as = options) => readSearchRequest(values, as);

function refusal(values: SearchValues, as = options): unknown {
  try {
    read(values, as);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.details.fields;
    throw error;
  }
  return 'accepted';
}

const RANDOM_NEEDS =
  'The "sort" parameter "random" can only be specified when the "featured" parameter is also present, and the "q" parameter absent.';

describe('an invalid search request', () => {
  it.each<[SearchValues, string, unknown]>([
    [{ q: 'x'.repeat(101) }, 'q', 'Maximum query length exceeded.'],
    [{ app: 'browser' }, 'app', beginningWith('Invalid "app" parameter. ')],
    [{ app: '' }, 'app', beginningWith('Invalid "app" parameter. ')],
    [{ appVersion: '57.0' }, 'app', beginningWith('Invalid "app" parameter. ')],
    [{ app: 'desktop_browser', appVersion: 'x' }, 'appVersion', beginningWith('Invalid "appVersion" parameter. ')],
    [{ app: 'desktop_browser', appVersion: '57.*' }, 'appVersion', beginningWith('Invalid "appVersion" parameter. ')],
    [{ app: 'desktop_browser', appVersion: '9.9' }, 'appVersion', beginningWith('Invalid "appVersion" parameter. ')],
    [{ app: 'desktop_browser', appVersion: '' }, 'app', 'Invalid combination of "app" and "appVersion" parameters.'],
    [{ types: 'addon' }, 'types', beginningWith('Invalid "types" parameter. ')],
    [{ types: '' }, 'types', beginningWith('Invalid "types" parameter. ')],
    [{ types: 'extension,nope' }, 'types', beginningWith('Invalid "types" parameter. ')],
    [{ platform: 'beos' }, 'platform', beginningWith('Invalid "platform" parameter. ')],
    [{ featured: 'false' }, 'featured', beginningWith('Invalid "featured" parameter. ')],
    [{ featured: false }, 'featured', beginningWith('Invalid "featured" parameter. ')],
    [{ sort: 'name' }, 'sort', beginningWith('Invalid "sort" parameter. ')],
    [{ sort: 'users,' }, 'sort', beginningWith('Invalid "sort" parameter. ')],
    [{ sort: 'random,users', featured: 'true' }, 'sort', 'The "random" "sort" parameter can not be combined.'],
    [{ sort: 'random' }, 'sort', RANDOM_NEEDS],
    [{ sort: 'random', featured: 'true', q: 'tab' }, 'sort', RANDOM_NEEDS],
    [
      { tags: Array.from({ length: 501 }, (_, index) => `t${index}`) },
      'tags',
      beginningWith('Invalid "tags" parameter. '),
    ],
  ])('%j is refused', (values, name, message) => {
    expect(refusal(values)).toEqual({ [name]: [message] });
  });

  it('is refused for static themes if the API version excludes them', () => {
    expect(refusal({ types: 'extension,statictheme' }, { ...options, except: ['statictheme'] })).toEqual({
      types: [beginningWith('Invalid "types" parameter. ')],
    });
  });
});

describe('a search request', () => {
  it('has no filters by default and sorts by downloads', () => {
    expect(read({})).toEqual({
      query: null,
      locale: 'en-US',
      sort: ['downloads'],
      filters: {
        application: null,
        types: [],
        platform: null,
        category: null,
        authors: { ids: [], names: [] },
        excluded: { ids: [], names: [] },
        guids: [],
        tags: [],
        featured: null,
      },
    });
  });

  it('reads every parameter', () => {
    const { filters } = read({
      app: 'desktop_browser',
      appVersion: '57.0a1',
      types: 'extension,theme',
      platform: 'mac',
      category: 'Tabs',
      authors: { ids: [11], names: ['Ada', ' 99999999999'] },
      excludeAddons: { ids: [7, 7], names: ['A-Slug', ' '] },
      guids: '{A},b@c',
      tags: 'one,,Two words',
      featured: 'true',
      lang: 'pt_br',
    });
    expect(filters).toEqual({
      application: { app: 'desktop_browser', version: encodeApplicationVersion('57.0a1') },
      types: ['extension', 'theme'],
      platform: 'mac',
      category: 'tabs',
      authors: { ids: [11], names: ['ada', '99999999999'] },
      excluded: { ids: [7], names: ['a-slug'] },
      guids: ['{a}', 'b@c'],
      tags: ['one', 'Two words'],
      featured: { app: 'desktop_browser', locale: 'pt-BR' },
    });
  });

  it.each<[SearchValues, string[]]>([
    [{ q: 'tab' }, ['relevance']],
    [{ q: '  ' }, ['downloads']],
    [{ sort: 'relevance' }, ['downloads']],
    [{ sort: 'relevance,users' }, ['users']],
    [{ q: 'tab', sort: 'users,relevance' }, ['users', 'relevance']],
    [{ sort: ['downloads', 'created'] }, ['downloads', 'created']],
    [{ sort: 'random', featured: true }, ['random']],
    [{ sort: 'random', featured: true, q: '' }, ['random']],
  ])('%j sorts by %j', (values, keys) => {
    expect(read(values).sort).toEqual(keys);
  });

  it('ignores a category without application and type, and empty lists', () => {
    const { filters } = read({ category: 'tabs', types: 'extension', guids: '', lang: '', authors: { names: [' '] } });
    expect([filters.category, filters.guids, filters.authors]).toEqual([null, [], { ids: [], names: [] }]);
  });

  it('has at most 500 authors, by id and by name together', () => {
    const authors = (count: number) => ({ ids: [1], names: Array.from({ length: count }, (_, index) => `a${index}`) });
    expect(refusal({ authors: authors(499) })).toBe('accepted');
    expect(refusal({ authors: authors(500) })).toEqual({ authors: [beginningWith('Invalid "authors" parameter. ')] });
  });

  it('counts characters of a query, not code units', () => {
    expect(refusal({ q: '😀'.repeat(100) })).toBe('accepted');
  });

  it('excludes static themes if the API version does', () => {
    expect(read({}, { ...options, except: ['statictheme'] }).filters.types).not.toContain('statictheme');
  });

  it.each(['\0', '\ud800', '9'.repeat(4_000), '[object Object]', '-1', 'a'.repeat(4_096)])(
    'accepts %j in any list',
    (garbage) => {
      const listed = { names: [garbage] };
      const values = { authors: listed, excludeAddons: listed, guids: garbage, tags: garbage, category: garbage };
      expect(refusal({ ...values, app: 'desktop_browser', types: 'extension' })).toBe('accepted');
    },
  );
});
