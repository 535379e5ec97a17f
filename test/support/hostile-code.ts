import { Buffer } from 'node:buffer';

const BIDI = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c\u200e\u200f';
const utf16 = (text: string, swap: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return swap ? bytes.swap16() : bytes;
};
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><foreignObject><iframe src="javascript:alert(1)"/></foreignObject></svg>';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The header of a picture of 60,000 by 60,000 pixels. */
const HUGE_PNG = Buffer.concat([PNG, Buffer.from('0000000d494844520000ea600000ea60080600000000000000', 'hex')]);

/** Files of a package that are made to mislead readers of code, or to take the time of programs that show it. */
export const HOSTILE_FILES: Readonly<Record<string, string | Buffer>> = {
  // Text direction and invisible characters.
  'bidi.js': `if (a) { ${BIDI} } /* ${BIDI} */ "${BIDI}";`,
  'bidi.css': `a { /*${BIDI}*/ color: red }`,
  'bidi.json': `{"${BIDI}": "${BIDI}"}`,
  'invisible.js': 'let a\u200b = 1, \u3164 = 2, b\ufeff = 3, \u00ad\u2060\u180e;',
  'tags.js': '"\u{e0001}\u{e0041}\u{e007f}"',
  'homoglyphs.js': 'let аdmin = 1; let admin = 2;',
  'combining.js': `let a${'\u0301'.repeat(20_000)};`,
  // Controls.
  'ansi.js': '\u001b[2J\u001b[31mred\u001b]0;title\u0007\u009b31m',
  'controls.txt': Array.from({ length: 32 }, (_, code) => String.fromCharCode(code || 1)).join(''),
  'late-nul.js': `${'a'.repeat(9_000)}\0b`,
  'nul.js': 'a\0b',
  'delete.js': 'a\u007f\u0080\u0085\u009fb',
  // Ends of lines.
  'cr.js': 'one\rtwo\rthree',
  'crlf.js': 'one\r\ntwo\r\n',
  'mixed.js': 'one\n\rtwo\r\r\nthree\n\n\r',
  'separators.js': 'one\u2028two\u2029three',
  'form-feeds.css': 'a{}\fb{}\f',
  'vertical.js': 'a\u000bb',
  'only-feeds.js': '\n'.repeat(50_000),
  'no-feed.js': 'a',
  'empty.js': '',
  // Encodings.
  'invalid-utf8.js': Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x61]),
  'overlong.js': Buffer.from([0x61, 0xc0, 0xbc, 0x73, 0xc0, 0xbe]),
  'latin1.js': Buffer.from('zwölf', 'latin1'),
  'utf16le.js': utf16('let a = "<b>";', false),
  'utf16be.js': utf16('let a = "<b>";', true),
  'odd-utf16.js': Buffer.concat([utf16('abc', false), Buffer.from([0x64])]),
  'lone-surrogates.js': Buffer.from('\ufeff"\ud800" "\udc00"', 'utf16le'),
  'mark.json': '\ufeff{"a": 1}',
  'marks.js': '\ufeff\ufeff\ufeffa',
  // Markup.
  'page.html': '<!doctype html><script>alert(1)</script><img src=x onerror=alert(1)><base href="//evil.example">',
  'close.js': '</td></tr></table></code></script><script>alert(1)</script><!-- -->',
  'entities.js': '&lt;script&gt;&#x202e;&amp;amp;</span><span class="hljs-keyword">',
  'picture.svg': SVG,
  'fake.png': Buffer.concat([Buffer.from('\0'), Buffer.from(SVG)]),
  'huge.png': HUGE_PNG,
  'cut.png': PNG,
  'fake.jpg': Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x00]),
  'entity.xml': `<!DOCTYPE a [${Array.from({ length: 20 }, (_, index) => `<!ENTITY e${index} "${`&e${index - 1};`.repeat(10)}">`).join('')}]><a>&e19;</a>`,
  // Work.
  // Digits without a pattern: packages may not be compressed more than 200-fold.
  'line-5mb.js': `"${Array.from({ length: 900_000 }, (_, index) => (index * 7_919) % 1_000_003).join('')}"`,
  'line-500kb.js': `"${'x'.repeat(500_000)}"`,
  'minified-500kb.js': 'function(a,b){return a+b};'.repeat(19_000),
  'nested.json': '['.repeat(200_000),
  'nested.js': '(function(){'.repeat(30_000),
  'templates.js': '`${'.repeat(100_000),
  'regexps.js': '/[/'.repeat(100_000),
  'slashes.js': '//'.repeat(200_000),
  'quotes.js': '"\\'.repeat(150_000),
  'braces.css': 'a{'.repeat(150_000),
  'tags.html': '<a '.repeat(150_000),
  'comments.html': '<!--'.repeat(120_000),
  'spaces.js': ' '.repeat(500_000),
  // Names.
  constructor: 'a',
  '__proto__.js': 'a',
  'toString.css': 'a{}',
  'a b&c?d#e%2f.js': 'let a;',
  'gpj\u202e\u2066.js': 'let a;',
};
