import { describe, expect, it } from 'vitest';
import { InvalidInputError, ThrottledError } from '../../src/errors.ts';
import { messageHtml } from '../../src/pages/messages.ts';
import { MESSAGES_EN, PAGE_MESSAGES_EN } from '../../src/texts/messages.en.ts';
import { englishText, type Message, message } from '../../src/texts/messages.ts';
import { messageText } from '../../src/texts/translated-messages.ts';
import { readSources } from '../support/sources.ts';

const baseOf = (key: string): string => key.replace(/#(?:one|two|other)$/, '');

/** A comparison of an error, a reason or another message by its text, in TypeScript or SQL. */
const COMPARED_TEXT =
  /(?<!typeof \w+)\.message\s*[!=]==|\.message\.(?:includes|startsWith|endsWith|match|search)\(|\.(?:test|exec)\([\w.]*\.message\)|\b(?:problem|reason|detail|text|message)\s*[!=]==\s*['"`][A-Z][a-z]+ [a-z]|(?:LIKE|~\*?)\s*'[A-Z][a-z]+ /;
/** Libraries that read forms have no codes: these files turn their errors into codes. */
const LIBRARY_ERRORS = ['src/http/form-faults.ts', 'src/execution/read-upload.ts'];

const codes = [...new Set(Object.keys(MESSAGES_EN).map(baseOf))];

describe('a message', () => {
  const throttled = message('request.throttled', { count: 1200 });

  it('has a code in snake case, below an area', () => {
    expect(codes.filter((code) => !/^[a-z_]+(?:\.[a-z0-9_]+)+$/.test(code))).toEqual([]);
  });

  it('is made somewhere in the sources', () => {
    const sources = readSources('src').filter(({ path }) => !/^src\/texts\/messages\.\w+\.ts$/.test(path));
    const all = sources.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/message\(`([a-z_]+\.[\w.]*)\$\{/g)].map(([, prefix = '']) => prefix);
    const isMade = (code: string) => all.includes(`'${code}'`) || prefixes.some((prefix) => code.startsWith(prefix));
    expect(codes.filter((code) => !isMade(code))).toEqual([]);
    expect(Object.keys(PAGE_MESSAGES_EN).filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('is recognised by its code in the program, never by its text', () => {
    const program = [...readSources('src'), ...readSources('prisma')];
    const sources = program.filter(({ path }) => !LIBRARY_ERRORS.includes(path));
    expect(sources.filter(({ text }) => COMPARED_TEXT.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('has a text in each language, with numbers as documented in English', () => {
    expect(englishText(throttled)).toBe('Request was throttled. Expected available in 1200 seconds.');
    expect(messageText(throttled, 'de')).toContain('in 1.200 Sekunden');
    expect(messageText(message('request.throttled', { count: 1 }), 'en')).toContain('in 1 second.');
    expect(messageText(message('request.throttled', { count: 2 }), 'he')).toContain('שתי שניות');
    expect(messageText(message('listing.text_too_long', { count: 50, length: 1200 }), 'de')).toBe(
      'Höchstens 50 Zeichen; es sind 1.200.',
    );
    expect(messageText(message('tag.too_many', { count: 2 }), 'he')).toContain('שתי תגיות');
  });

  it('of a later release is its code', () => {
    const later = JSON.parse('{"code":"upload.of_a_later_release","params":{"name":"a"}}') as Message;
    expect(messageText(later, 'he')).toBe('upload.of_a_later_release');
    expect(String(messageHtml({ language: 'de' }, later))).toBe('upload.of_a_later_release');
  });

  it('on a page is escaped, keeps values in other directions apart and has no advice for programs', () => {
    const wrongMethod = message('request.method_not_allowed', { method: '<b>' });
    expect(String(messageHtml({ language: 'de' }, wrongMethod))).toBe(
      'Die Methode „<bdi>&lt;b&gt;</bdi>“ ist hier nicht erlaubt.',
    );
    expect(String(messageHtml({ language: 'en' }, wrongMethod))).toBe('Method &quot;&lt;b&gt;&quot; not allowed.');
    const notValid = message('upload.invalid');
    expect(String(messageHtml({ language: 'en' }, notValid))).not.toContain('web-ext');
    expect(englishText(notValid)).toContain('web-ext');
  });
});

describe('a refusal', () => {
  it('has its message in English, as code and parameters, and those of its fields', () => {
    const error = new InvalidInputError(message('upload.invalid'), {
      upload: [message('upload.invalid')],
      name: [message('field.too_long', { count: 50 })],
    });
    expect(error.message).toMatch(/^Upload is not valid\./);
    expect(error.reason).toEqual({ code: 'upload.invalid', params: {} });
    expect(error.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      messageCode: 'upload.invalid',
      messageParams: {},
    });
    expect(error.details).toEqual({
      fields: { upload: [error.message], name: ['Ensure this field has no more than 50 characters.'] },
      fieldMessages: {
        upload: [{ code: 'upload.invalid', params: {} }],
        name: [{ code: 'field.too_long', params: { count: 50 } }],
      },
    });
  });

  it('has the parameters of its text', () => {
    expect(new ThrottledError(30).reason).toEqual({ code: 'request.throttled', params: { count: 30 } });
  });
});
