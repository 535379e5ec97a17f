import { describe, expect, it } from 'vitest';
import { describeOpenSearch } from '../../../src/package/manifest/open-search.ts';
import { openSearch } from '../../support/packages.ts';

const URL = '<Url type="text/html" template="https://search.example/?q={searchTerms}"/>';

function description(
  inside: string,
  namespace = 'http://a9.com/-/spec/opensearch/1.1/',
  root = 'OpenSearchDescription',
) {
  return `<${root} xmlns="${namespace}">${inside}</${root}>`;
}

describe('describeOpenSearch', () => {
  it('returns every property of a search engine', () => {
    expect(describeOpenSearch(openSearch({ name: '<![CDATA[Ask & find]]>' }).toString())).toEqual({
      format: 'opensearch',
      manifestVersion: null,
      guid: null,
      version: null,
      type: 'search',
      name: { default: 'Ask & find' },
      summary: { default: 'Searches the example.' },
      homepage: {},
      defaultLocale: null,
      unresolvedTexts: [],
      compatibility: {},
      lockedApplications: [],
      strictCompatibility: false,
      permissions: [],
      optionalPermissions: [],
      hostPermissions: [],
      dataCollectionPermissions: [],
      optionalDataCollectionPermissions: [],
      restartRequired: false,
      isExperiment: false,
      targetLocale: null,
      e10s: 'unknown',
    });
  });

  it('reads the dialect of the browser', () => {
    const dialect = description(
      `<ShortName>Find</ShortName>${URL}`,
      'http://www.mozilla.org/2006/browser/search/',
      'SearchPlugin',
    );
    expect(describeOpenSearch(dialect).name).toEqual({ default: 'Find' });
  });

  it.each([
    ['nothing', ''],
    ['HTML', '<html><body>Not found</body></html>'],
    ['a ZIP file', 'PK\u0003\u0004'],
    ['no namespace', description(`<ShortName>Find</ShortName>${URL}`, '')],
    ['another namespace', description(`<ShortName>Find</ShortName>${URL}`, 'urn:x')],
    ['the root of the other dialect', description(`<ShortName>Find</ShortName>${URL}`, undefined, 'SearchPlugin')],
    ['no name', description(URL)],
    ['an empty name', description(`<ShortName> </ShortName>${URL}`)],
    ['no address', description('<ShortName>Find</ShortName>')],
    [
      'suggestions only',
      description('<ShortName>Find</ShortName><Url type="application/x-suggestions+json" template="https://a/"/>'),
    ],
    ['a script for an address', openSearch({ template: 'javascript:alert(1)' }).toString()],
    ['an address without a host', openSearch({ template: 'https://' }).toString()],
    ['a document type', `<!DOCTYPE x>${description(`<ShortName>Find</ShortName>${URL}`)}`],
    [
      'nested entities',
      `<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${description(`<ShortName>&b;</ShortName>${URL}`)}`,
    ],
  ])('refuses %s', (_what, document) => {
    expect(() => describeOpenSearch(document)).toThrow('Could not parse the manifest file.');
  });
});
