import { afterEach, describe, expect, it } from 'vitest';
import { hasLink } from '../../../src/domain/accounts/find-links.ts';
import { checkProfile, PROFILE_FIELDS, type ProfileValues } from '../../../src/domain/profiles/check-profile.ts';
import { englishText, message } from '../../../src/texts/messages.ts';

const { config } = await import('../../../src/config.ts');

/** The English text of the problem of a field; null without one. */
const problem = (field: string, value: ProfileValues['biography']): string | null => {
  const found = checkProfile({ [field]: value }, 'current.Name').problems.get(field as 'biography');
  return found === undefined ? null : englishText(found);
};

describe('hasLink', () => {
  it.each([
    'http://example.com',
    'HTTPS://x',
    'see ftp://files',
    'javascript://%0aalert(1)',
    'mailto:me',
    'MailTo:me@x',
    'www.example',
    'WWW.x',
    '//evil',
    '<a href=x>x</a>',
    `<a href${' '.repeat(20)}=x>x</a>`,
    "<a\nHREF = 'x'>",
    'example.com',
    'Visit example.co.uk/x today',
    'EXAMPLE.COM',
    'EXAMPLE.DE',
    'Example.de',
    'me@example.org',
    'Visit example.com.Then leave',
    'bücher.de',
    'xn--bcher-kva.xn--p1ai',
    'http&#58;//x',
    'http&#x3a;//x',
    'http&colon;//x',
    'example&#46;com',
    'example。com',
    'ｅｘａｍｐｌｅ．ｃｏｍ',
    'exam\u200bple.c\u00adom',
    'a-b.example.io:8080',
  ])('finds the link in %j', (text) => {
    expect(hasLink(text)).toBe(true);
  });

  it.each([
    '',
    'e.g. this',
    'i.e. that',
    '3.5',
    '1.2.3.4',
    'Mr. Smith',
    'node.js',
    'README.md and main.rs',
    'either/or',
    'a // comment',
    'Ends here.In fact it does not.',
    'U.S.A.',
    '.com',
    'dot com',
    '<b>Bold</b> & <i>proud</i>',
    'x...y',
    'the attribute href',
    'note: this',
    'C++ & C#',
  ])('finds none in %j', (text) => {
    expect(hasLink(text)).toBe(false);
  });

  it.each([
    ['dots', '.'.repeat(10_000)],
    ['labels', 'a.'.repeat(5_000)],
    ['hyphens', 'a-'.repeat(5_000)],
    ['schemes', 'a+'.repeat(5_000)],
    ['slashes', '/'.repeat(10_000)],
    ['entities', '&#'.repeat(5_000)],
    ['attributes', 'href  '.repeat(1_600)],
  ])('reads long texts of %s in time proportional to their length', (_what, text) => {
    const started = performance.now();
    hasLink(text);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('checkProfile', () => {
  afterEach(() => Object.assign(config, { DENIED_USERNAMES: [], DENIED_DISPLAY_NAMES: [] }));

  it('reads null and empty texts as none, trims others and ignores undefined fields', () => {
    const values = {
      biography: ' a\tb\r\nc\n ',
      displayName: '',
      homepage: null,
      location: ' \u00a0 ',
      occupation: undefined,
    };
    const { texts, problems } = checkProfile(values, 'x');
    expect(texts).toEqual({ biography: 'a\tb\r\nc', displayName: null, homepage: null, location: null });
    expect(problems.size).toBe(0);
  });

  it('returns the refusals among the values in their order, with its own', () => {
    const notText = message('field.not_text');
    const { texts, problems } = checkProfile({ username: 'a b', biography: notText, location: 'x' }, 'x');
    expect(texts).toEqual({ location: 'x' });
    expect([...problems.keys()]).toEqual(['username', 'biography']);
    expect(problems.get('biography')).toBe(notText);
  });

  it('limits the length of every field, in characters', () => {
    for (const [field, limit] of Object.entries(PROFILE_FIELDS)) {
      const letter = field === 'username' || field === 'homepage' ? 'x' : '😀';
      const start = field === 'homepage' ? 'http://h/' : '';
      expect([field, problem(field, start + letter.repeat(limit - start.length))]).toEqual([field, null]);
      const tooLong = `Ensure this field has no more than ${limit} characters.`;
      expect([field, problem(field, letter.repeat(limit + 1))]).toEqual([field, tooLong]);
    }
  });

  it.each(['a\0b', 'a\u0007b', 'a\u009fb', 'a\rb', 'a\ud800b', '\udc00x'])('refuses %j in every field', (text) => {
    for (const field of Object.keys(PROFILE_FIELDS)) expect([field, problem(field, text)]).not.toEqual([field, null]);
  });

  it('refuses line ends except in a biography', () => {
    for (const field of ['displayName', 'location', 'occupation', 'homepage', 'username']) {
      expect([field, problem(field, 'a\nb')]).not.toEqual([field, null]);
    }
  });

  it.each(['a\u202eb', '\u2066a', '\u200b', '\u200d\u00ad', '\u2800', '\u3164', '\u0301', '\u2003\u200e'])(
    'refuses the display name %j',
    (name) => {
      expect(problem('displayName', name)).not.toBeNull();
    },
  );

  it.each(['Grace', '<script>', 'גרייס', '名', '👩‍💻', 'O’Neil & Söhne', '%00', '12'])(
    'accepts the display name %j',
    (name) => {
      expect(problem('displayName', name)).toBeNull();
    },
  );

  it('refuses denied words in a display name and denied usernames, in any case', () => {
    Object.assign(config, { DENIED_USERNAMES: ['Root'], DENIED_DISPLAY_NAMES: ['Staff'] });
    for (const name of ['staff', 'The STAFF member', 'sta\u200bff', 'ｓｔａｆｆ']) {
      expect([name, problem('displayName', name)]).toEqual([name, 'This display name cannot be used.']);
    }
    expect(problem('displayName', 'sta ff')).toBeNull();
    expect(problem('username', 'ROOT')).toBe('This username cannot be used.');
    expect(problem('username', 'rooted')).toBeNull();
  });

  it.each([
    ['12345', 'Usernames cannot contain only digits.'],
    ['a.b', 'Enter a valid username consisting of letters, numbers, underscores or hyphens.'],
    ['a b', 'Enter a valid username consisting of letters, numbers, underscores or hyphens.'],
    ['grâce', 'Enter a valid username consisting of letters, numbers, underscores or hyphens.'],
    [`anonymous-${'a'.repeat(32)}`, 'This username cannot be used.'],
    [`Anonymous-${'A'.repeat(32)}`, 'This username cannot be used.'],
    ['anonymous-x', null],
    ['Grace_H-1', null],
    ['current.Name', null],
    ['__proto__', null],
  ])('judges the username %j', (name, expected) => {
    expect(problem('username', name)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'http:example.com',
    'http:///x',
    'http://',
    'ftp://x.example/',
    'example.com',
    '//example.com',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://@example.com/',
    'http://exa mple.com/',
    'http://example.com/a b',
    'http:\\\\example.com',
    'http://example.com\\@evil.example',
    'data:text/html,x',
    'http://[::1',
    'http://example.com:99999/',
  ])('refuses the homepage %j', (address) => {
    expect(problem('homepage', address)).toBe('Enter a valid URL.');
  });

  it.each(['http://example.com', 'HTTPS://Example.com:8080/a?b=c#d', 'http://bücher.example/ü', 'http://[::1]/'])(
    'accepts the homepage %j',
    (address) => {
      expect(problem('homepage', address)).toBeNull();
    },
  );
});
