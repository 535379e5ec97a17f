/* An add-on and an account whose texts try to break pages, as lines of a catalogue file. */

/** Addresses of the hostile objects. */
export const HOSTILE_SLUG = 'hostile';
export const HOSTILE_USERNAME = '"><img-src=x-onerror=alert(1)>';
export const LONG_SLUG = 'very-long';

const SCRIPT = `</title></textarea><script>document.title = 'broken'</script><img src=x onerror="document.title = 'broken'">`;
const ATTRIBUTE = `" onmouseover="document.title = 'broken'" autofocus onfocus='alert(1)' x="`;
/** Right-to-left override, isolates without an end, a zero-width joiner, a tower of marks. */
const BIDI = `\u202egpj.exe\u2066\u2067 \u200d\u0634\u0644\u05d0 ${'e\u0301\u0302\u0303'.repeat(12)}`;
const UNBROKEN = 'Donaudampfschifffahrtsgesellschaft'.repeat(7);
const TEMPLATE = `\${alert(1)} {{constructor.constructor('alert(1)')()}} <!--# --> ]]> %00 \\u003cscript\\u003e`;

const plain = [SCRIPT, ATTRIBUTE, BIDI, UNBROKEN, TEMPLATE].join(' ');

/** Markup that the cleaning leaves partly in place. */
const MARKUP = `<a href="javascript:alert(1)">link</a> <a href="https://example.org/?a=1&b=2">other</a> <b>${UNBROKEN}</b>
<ul><li>one<li>two</ul></p></div></main> <blockquote><code>${ATTRIBUTE}</code> ${SCRIPT} ${BIDI}`;

/** The longest text that an add-on can have, in characters. */
const LONG = 100_000;

const file = { status: 4, hash: `sha256:${'7'.repeat(64)}`, size: 123_456, permissions: ['tabs', ATTRIBUTE, UNBROKEN] };

const texts = (text: string) => ({ 'en-US': text, de: text, he: text });

const version = {
  version: '1.0-very-long-number-of-a-version-that-has-no-place-to-break',
  channel: 'listed',
  created: '2026-01-02T03:04:05Z',
  reviewed: '2026-01-02T03:04:05Z',
  release_notes: texts(MARKUP),
  license: { name: texts(plain.slice(0, 200)), text: texts(MARKUP), url: 'javascript:alert(1)' },
  compatibility: { desktop_browser: { min: '57.0', max: '*' } },
  files: [file],
};

const addon = {
  kind: 'addon',
  type: 'extension',
  status: 'public',
  default_locale: 'en-US',
  created: '2026-01-02T03:04:05Z',
  last_updated: '2026-01-02T03:04:05Z',
  authors: [{ username: HOSTILE_USERNAME, role: 'owner' }],
  average_daily_users: 2_147_483_647,
  public_stats: true,
};

/** The lines, as text of a catalogue file. */
export function hostileLines(): string {
  const lines = [
    {
      kind: 'account',
      username: HOSTILE_USERNAME,
      display_name: (ATTRIBUTE + BIDI).slice(0, 255),
      biography: plain,
      location: SCRIPT,
      occupation: UNBROKEN,
      homepage: 'javascript:alert(document.domain)',
    },
    {
      ...addon,
      guid: `"><script>alert(1)</script>@${UNBROKEN.slice(0, 200)}`,
      slug: HOSTILE_SLUG,
      name: texts(plain.slice(0, 250)),
      summary: texts(plain.slice(0, 250)),
      description: texts(MARKUP),
      developer_comments: texts(MARKUP),
      eula: texts(MARKUP),
      privacy_policy: texts(MARKUP),
      homepage: texts('javascript:alert(1)'),
      support_url: texts('data:text/html,<script>alert(1)</script>'),
      support_email: texts(`"><script>alert(1)</script>@example.org`),
      tags: ['"><b>', UNBROKEN.slice(0, 100), '\u202etag'],
      contributions_url: 'javascript:alert(1)',
      versions: [version],
    },
    {
      ...addon,
      guid: 'very-long@example.org',
      slug: LONG_SLUG,
      name: texts(UNBROKEN),
      summary: texts(UNBROKEN),
      description: { 'en-US': 'word '.repeat(LONG / 5).trim() },
      versions: [{ ...version, license: { builtin: 'MIT' } }],
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
