import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanHtml, cleanHtmlTexts } from '../../../src/domain/addons/clean-html.ts';

describe('cleanHtml keeps', () => {
  it.each([
    ['plain text', 'Shows the time.'],
    ['line breaks and spaces', 'One\n\n  two\tthree'],
    ['quotation marks', `It's "new"`],
    [
      'simple markup',
      '<b>b</b> <i>i</i> <em>e</em> <strong>s</strong> <code>c</code> <blockquote>q</blockquote> <p>p</p>',
    ],
    ['lists', '<ul><li>one</li><li>two</li></ul><ol><li>three</li></ol>'],
    ['abbreviations', '<abbr title="Hypertext">HT</abbr> <acronym title="a &amp; b">AB</acronym>'],
    ['entities', 'a &lt;b&gt; &amp;amp; c'],
    ['other alphabets', 'שלום <b>世界</b> 🎉'],
    ['web links', '<a href="https://a.example/?b=1&amp;c=2#d" title="t" rel="nofollow">x</a>'],
    ['mail links', '<a href="mailto:me@a.example" rel="nofollow">x</a>'],
  ])('%s', (_title, text) => {
    expect(cleanHtml(text)).toBe(text);
  });
});

describe('cleanHtml changes', () => {
  const link = (href: string) => `<a href="${href}">x</a>`;
  const unlinked = '<a rel="nofollow">x</a>';

  it.each([
    // Scripts and other elements whose contents are not text.
    ['<script>alert(1)</script>a', 'a'],
    ['<SCRIPT SRC=//e.example/x.js></SCRIPT>a', 'a'],
    ['<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
    ['a<script>alert(1)', 'a'],
    ['<script/x>alert(1)</script >a', 'a'],
    ['<style>*{background:url(javascript:x)}</style>a', 'a'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">a', ''],
    ['<textarea><img src=x onerror=alert(1)></textarea>a', 'a'],
    ['<title><img src=x onerror=alert(1)></title>a', 'a'],
    ['<iframe src="https://e.example/"></iframe>a', 'a'],
    ['<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>a', 'a'],
    ['<template><script>alert(1)</script></template>a', 'a'],
    // Other tags are removed; their text stays.
    ['<h1>Title</h1>', 'Title'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<img src="x` `<script>alert(1)</script>"` `>', ''],
    ['<svg onload=alert(1)><circle/></svg>a', 'a'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>a', 'a'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', ''],
    ['<form action=javascript:alert(1)><button>go</button></form>', 'go'],
    ['<input autofocus onfocus=alert(1)>a', 'a'],
    ['<video><source onerror=alert(1)></video>a', 'a'],
    ['<details open ontoggle=alert(1)>a</details>', 'a'],
    ['<marquee onstart=alert(1)>a</marquee>', 'a'],
    ['<object data="javascript:alert(1)">a</object>', 'a'],
    ['<embed src="javascript:alert(1)">a', 'a'],
    ['<base href="https://e.example/">a', 'a'],
    ['<meta http-equiv="refresh" content="0;url=https://e.example/">a', 'a'],
    ['<link rel=stylesheet href="https://e.example/x.css">a', 'a'],
    // Attributes.
    ['<b onclick=alert(1) style="x:expression(alert(1))" class=c id=d>a</b>', '<b>a</b>'],
    [
      '<a href="https://a.example/" onmouseover=alert(1) target=_blank>x</a>',
      '<a href="https://a.example/" rel="nofollow">x</a>',
    ],
    ['<a href="https://a.example/" rel="follow opener">x</a>', '<a href="https://a.example/" rel="nofollow">x</a>'],
    [
      '<abbr title="&quot;onclick=alert(1) x=&quot;">a</abbr>',
      '<abbr title="&quot;onclick=alert(1) x=&quot;">a</abbr>',
    ],
    [
      "<abbr title='\"><script>alert(1)</script>'>a</abbr>",
      '<abbr title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">a</abbr>',
    ],
    // Addresses.
    [link('javascript:alert(1)'), unlinked],
    [link(' JaVaScRiPt:alert(1)'), unlinked],
    [link('java\tscript:alert(1)'), unlinked],
    [link('java\nscript:alert(1)'), unlinked],
    [link('&#106;avascript:alert(1)'), unlinked],
    [link('&#x6A&#x61vascript&colon;alert(1)'), unlinked],
    [link('\u0001javascript:alert(1)'), unlinked],
    [link('javascript://a.example/%0aalert(1)'), unlinked],
    [link('vbscript:msgbox(1)'), unlinked],
    [link('data:text/html,<script>alert(1)</script>'), unlinked],
    [link('file:///etc/passwd'), unlinked],
    [link('//e.example/'), unlinked],
    [link('/logout'), unlinked],
    [link('logout'), unlinked],
    [link('https:e.example'), unlinked],
    [link('http://'), unlinked],
    [link(' https://a.example/ '), '<a href="https://a.example/" rel="nofollow">x</a>'],
    ['<a href=https://a.example/?q=">x</a>', '<a href="https://a.example/?q=&quot;" rel="nofollow">x</a>'],
    // Invalid HTML.
    ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
    ['&nbsp;a&eacute;&#233;', 'aéé'],
    ['<b>never closed', '<b>never closed</b>'],
    ['closed</b> only', 'closed only'],
    ['<br/>a', '<br />a'],
    ['a<!-- b --!> c -->d', 'a c --&gt;d'],
    ['<!--><img src=x onerror=alert(1)>-->a', '--&gt;a'],
    ['<![CDATA[<script>alert(1)</script>]]>a', 'a'],
    ['<?php x ?>a', 'a'],
    [
      '<a href="https://a.example/">x<a href="https://b.example/">y',
      '<a href="https://a.example/" rel="nofollow">x</a><a href="https://b.example/" rel="nofollow">y</a>',
    ],
    ['a\0b<scr\0ipt>c</scr\0ipt>\ud800', 'ab\ufffd'],
    ['  a  ', 'a'],
  ])('%j', (hostile, expected) => {
    expect(cleanHtml(hostile)).toBe(expected);
  });
});

/** Fragments that are parsed differently in combination. */
const piece = fc.constantFrom(
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '/',
    '=',
    ' ',
    '\n',
    '\0',
    'text',
    '<b>',
    '</b>',
    '<a href="http://x.y/">',
    '<a href=',
    '</a>',
  ],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<p>',
    '<br>',
    '<br/>',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
  ],
  ...[
    '<svg>',
    '<math>',
    '<textarea>',
    '</textarea>',
    '<title>',
    '</title>',
    '<xmp>',
    '<plaintext>',
    '<template>',
    '<?',
    '<!',
  ],
  ...[
    '&lt;',
    '&amp;',
    '&#60;',
    '&#x3c;script&#x3e;',
    '&quot;',
    '&lt',
    '&notit;',
    'javascript:',
    'onclick=x',
    '<li>',
    '<ul>',
  ],
  ...['</ul>', '<abbr title="', '<iframe srcdoc="', '\u2028', '\ud800'],
);
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join('')),
  fc.string(),
);

/** The only tags that may occur in cleaned text. */
const HARMLESS_TAG =
  /<(?:\/?(?:a|abbr|acronym|b|blockquote|br|code|em|i|li|ol|p|strong|ul)|br \/|a(?: href="(?:https?:\/\/|mailto:)[^"<>]*")?(?: title="[^"<>]*")? rel="nofollow"|(?:abbr|acronym) title="[^"<>]*")>/gi;

describe('cleaned text', () => {
  it('contains only harmless tags and attributes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(cleanHtml(text).replace(HARMLESS_TAG, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: 3000 },
    );
  });

  it('stays the same when it is cleaned again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cleaned = cleanHtml(text);
        expect(cleanHtml(cleaned)).toBe(cleaned);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps the contents of plain text', () => {
    const read = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const plain = fc.string({ unit: fc.constantFrom('a', ' ', '1', '&', '>', '"', "'", '\n', 'é') });
    fc.assert(
      fc.property(plain, (text) => {
        expect(read(cleanHtml(text))).toBe(text.trim());
      }),
    );
  });

  it.each(['<b>', '<a href="', '<!--', '<ul><li>', '&', '<', '<a x=y ', '<script>', '<p>', '<a href=//x>'])(
    'of 100,000 characters of %j takes less than 2 s of CPU',
    (part) => {
      const start = process.cpuUsage();
      cleanHtml(part.repeat(100_000 / part.length));
      const { user, system } = process.cpuUsage(start);
      expect(user + system).toBeLessThan(2_000_000);
    },
  );
});

describe('cleanHtmlTexts', () => {
  it('cleans every language, and drops empty results', () => {
    const texts = { 'en-US': '<b>Clock</b><script>x</script>', de: '<img src=x>', fr: 'Horloge' };
    expect(cleanHtmlTexts(texts)).toEqual({ 'en-US': '<b>Clock</b>', fr: 'Horloge' });
  });
});
