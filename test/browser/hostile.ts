/*
 * Objects whose texts try to break pages: add-ons, accounts, ratings and collections as lines of a catalogue file, and the lists of
 * curators.
 */
import { sendGraphql } from './graphql.ts';

/** Addresses of the hostile objects. */
export const HOSTILE_SLUG = 'hostile';
export const HOSTILE_USERNAME = '"><img-src=x-onerror=alert(1)>';
export const LONG_SLUG = 'very-long';
/** A rating with a reply. */
export const HOSTILE_RATING = 900_001;
/** A rating that waits for moderators. */
export const HELD_RATING = 900_003;
/** The path of a collection of the user of the demo. */
export const HOSTILE_COLLECTION = 'demo-user/hostile';
/** The edition of a list of recommendations. */
export const HOSTILE_EDITION = 'hostile';

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

const GUID = `"><script>alert(1)</script>@${UNBROKEN.slice(0, 200)}`;

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

const written = {
  kind: 'rating',
  addon: GUID,
  body: `${plain}\n${MARKUP}`,
  created: '2026-01-03T03:04:05Z',
  updated: '2026-01-03T03:04:05Z',
};

const ratings = [
  { ...written, id: HOSTILE_RATING, user: 'demo-user', version: version.version, score: 1 },
  // As the reply below, so that the lines can be imported again.
  { ...written, id: 900_002, user: 'demo-admin', reply_to: HOSTILE_RATING },
  { ...written, id: HELD_RATING, user: HOSTILE_USERNAME, version: version.version, score: 1, hold_reason: 'text' },
];

const localized = (text: string) => Object.entries(texts(text)).map(([locale, value]) => ({ locale, value }));

const link = { url: 'https://example.org/?a=1&b="><script>', text: localized(plain) };

const LISTS = `mutation ($discovery: SetDiscoveryInput!, $hero: SetHeroInput!, $reply: ReplyToRatingInput!) {
  setDiscovery(input: $discovery) { ... on SetDiscoveryPayload { count } ... on InvalidInputError { message } }
  setHero(input: $hero) { ... on SetHeroPayload { count } ... on InvalidInputError { message } }
  replyToRating(input: $reply) { ... on ReplyToRatingPayload { reply { isReply } } ... on InvalidInputError { message } }
}`;

type Done = Record<'setDiscovery' | 'setHero', { count?: number }> & { replyToRating: { reply?: object } };

/** Sets the lists of curators as an administrator, whose reply to the rating sends a mail to its writer. */
export async function writeHostileTexts(origin: string, authorization: string | null): Promise<void> {
  const description = localized(plain.slice(0, 1000));
  const addon = { slug: HOSTILE_SLUG };
  const external = { guid: GUID, homepage: link.url, name: plain.slice(0, 250), type: 'EXTENSION' };
  const look = { gradientStart: '#20123a', gradientEnd: '#ffffff', description };
  const part = { icon: link.url, description, cta: link };
  const discovery = { edition: HOSTILE_EDITION, entries: [{ addon, heading: description, description }] };
  const hero = {
    entries: [
      { addon, ...look },
      { external, ...look },
    ],
    secondary: { headline: description, description, cta: link, modules: [part, part, part] },
  };
  const reply = { id: Buffer.from(`Rating:${HOSTILE_RATING}`).toString('base64'), body: written.body };
  const done = await sendGraphql<Done>(origin, authorization, LISTS, { discovery, hero, reply });
  const { setDiscovery, setHero, replyToRating } = done;
  if (!setDiscovery.count || !setHero.count || !replyToRating.reply) throw new Error(JSON.stringify(done));
}

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
      guid: GUID,
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
    ...ratings,
    {
      kind: 'account_collection',
      uuid: '7'.repeat(32),
      account: 'demo-user',
      slug: 'hostile',
      name: texts(plain.slice(0, 250)),
      description: texts(`${plain}\n${MARKUP}`),
      created: '2026-01-02T03:04:05Z',
      addons: [
        { guid: GUID, notes: texts(plain.slice(0, 280)) },
        { guid: 'very-long@example.org', notes: texts(UNBROKEN) },
      ],
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
