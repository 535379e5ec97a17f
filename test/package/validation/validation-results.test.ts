import { describe, expect, it } from 'vitest';
import type { LinterMessage, LinterReport } from '../../../src/package/validation/linter-protocol.ts';
import {
  linterResults,
  MESSAGE_LIMIT,
  secretFound,
  unexpectedResults,
} from '../../../src/package/validation/validation-results.ts';

const facts = { type: 'extension', format: 'webextension', listed: true } as const;
const report: LinterReport = { errors: 0, warnings: 0, notices: 0, metadata: {}, messages: [] };

describe('validation results', () => {
  it('add errors of the service to those of the linter', () => {
    const messages: LinterMessage[] = [{ _type: 'error', code: 'A', message: 'a', description: ['b', 'c'] }];
    const results = linterResults(facts, { ...report, errors: 1, messages }, [secretFound('keys.txt')]);

    expect(results).toMatchObject({ success: false, errors: 2 });
    expect(results.messages.map(({ id, file, description }) => [id.at(-1), file, Array.isArray(description)])).toEqual([
      ['api_key_in_package', 'keys.txt', false],
      ['A', null, true],
    ]);
  });

  it('keep the first messages and the true counts', () => {
    const messages = Array.from({ length: MESSAGE_LIMIT }, (): LinterMessage => ({ _type: 'warning', code: 'A' }));
    const results = linterResults(facts, { ...report, warnings: 23_135, messages }, [secretFound('keys.txt')]);

    expect(results).toMatchObject({ errors: 1, warnings: 23_135 });
    expect(results.messages).toHaveLength(MESSAGE_LIMIT);
    expect(results.messages[0]?.type).toBe('error');
  });

  it('contain only text of limited length that a jsonb column accepts', () => {
    const messages: LinterMessage[] = [
      { _type: 'notice', code: 'A\0', message: '\ud800 half', file: 'x'.repeat(10_000) },
    ];
    const metadata = { name: 'a\0b', 'k\udc00': ['\0'], nested: { emptyFiles: Array(5000).fill('x') }, odd: () => 1 };
    const results = linterResults(facts, { ...report, notices: 1, metadata, messages }, []);
    const text = JSON.stringify(results);

    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
    expect(results.messages[0]?.file).toHaveLength(4000);
    expect(text.length).toBeLessThan(20_000);
    expect(results.metadata.odd).toBeNull();
  });

  it('name the known libraries of the package, whatever their file names', () => {
    const metadata = { jsLibs: JSON.parse('{"__proto__": "library.1.2.js"}') };

    expect(linterResults(facts, { ...report, metadata }, []).metadata.identified_files).toEqual({
      'library.1.2.js': { path: '__proto__' },
    });
  });

  it('ignore files of the package that claim validation results', () => {
    const metadata = { listed: false, processed_by_addons_linter: false, name: 'Sample' };

    expect(linterResults(facts, { ...report, metadata }, []).metadata).toMatchObject({
      name: 'Sample',
      listed: true,
      processed_by_addons_linter: true,
    });
  });

  it('of a failed validation state that it failed, and the reason', () => {
    expect(unexpectedResults(facts, 'timeout')).toMatchObject({
      success: false,
      errors: 1,
      messages: [{ id: ['validator', 'unexpected_exception'], description: 'The validation took too long.' }],
    });
  });
});
