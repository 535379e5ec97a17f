import { beforeAll, describe, expect, it } from 'vitest';
import { cleanHtml } from '../../src/domain/addons/clean-html.ts';
import { setUpApp } from '../support/app.ts';
import { addon, type MadeAddon } from '../support/factories.ts';

const app = setUpApp();
let made: MadeAddon;
const homepage = 'https://clock.example/?a=1&b=ü#top';

beforeAll(async () => {
  made = await addon({
    homepage: { 'en-US': homepage, de: `${app.url}/addon/other/` },
    supportUrl: { 'en-US': 'javascript:alert(1)' },
    supportEmail: { 'en-US': 'help@clock.example' },
    contributionsUrl: 'https://pay.example/',
    description: {
      'en-US': `<b>See</b> <a href="https://docs.example/?x=1&amp;y=2" rel="nofollow">this</a>, <a href='MAILTO:me@clock.example'>me</a> & <a href="data:,x">no</a>.`,
    },
    eula: { 'en-US': '<a href="https://law.example/">Law</a>' },
    versions: [{ releaseNotes: { 'en-US': 'See <a href="https://notes.example/">notes</a>.' } }],
  });
});

interface Shown {
  homepage: Record<string, string>;
  support_url: Record<string, string>;
  support_email: Record<string, string>;
  contributions_url: string;
  description: Record<string, string>;
  current_version: { release_notes: Record<string, string> };
}
const read = async (query = '', path = '') =>
  (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/${path}${query}`)).json as Shown;
const WRAPPED = /outgoing\/[0-9a-f]{64}\//;

describe('links to other sites', () => {
  it('are wrapped on request, and in HTML always', async () => {
    const shown = await read();
    expect(shown).toMatchObject({
      homepage: { 'en-US': homepage },
      support_url: { 'en-US': 'javascript:alert(1)' },
      contributions_url: 'https://pay.example/',
    });
    const { 'en-US': description = '' } = shown.description;
    expect(description.replace(/[0-9a-f]{64}/, 'SIGNATURE')).toBe(
      `<b>See</b> <a href="${app.url}/outgoing/SIGNATURE/https%3A%2F%2Fdocs.example%2F%3Fx%3D1%26y%3D2" rel="nofollow">this</a>, ` +
        '<a href="MAILTO:me@clock.example">me</a> & <a href="/">no</a>.',
    );
    expect(shown.current_version.release_notes['en-US']).toMatch(WRAPPED);
    expect(JSON.stringify(await read('', 'eula_policy/'))).toMatch(WRAPPED);
    expect(JSON.stringify(await read('', `versions/${made.versions[0]?.id}/`))).toMatch(WRAPPED);
    const link = { 'en-US': '<a href="https://paint.example/">Paint</a>' };
    const persona = await addon({ type: 'persona', description: link, persona: { textColor: '#ffffff' } });
    const { json } = await app.anonymous.get(`/api/v4/addons/addon/${persona.id}/`);
    expect((json as { theme_data: { description: string } }).theme_data.description).toMatch(WRAPPED);
  });

  it('are not looked for in other attributes, so that a title cannot add attributes to its element', async () => {
    const hostile = cleanHtml(`<a title=" href='${app.url}/ onclick=alert(1) x='">See</a>`);
    const { id } = await addon({ description: { 'en-US': hostile } });
    const { json } = await app.anonymous.get(`/api/v4/addons/addon/${id}/?lang=en-US`);
    expect((json as { description: string }).description).toBe(hostile);
    expect(hostile).toBe(`<a title=" href='${app.url}/ onclick=alert(1) x='" rel="nofollow">See</a>`);
  });

  it.each([
    '?wrap_outgoing_links=true',
    '?wrap_outgoing_links',
    '?wrap_outgoing_links=false',
    '?wrap_outgoing_links=1&lang=en-US',
  ])('are wrapped with %s', async (query) => {
    const shown = await read(query);
    const flat = query.includes('lang');
    const homepages = flat ? [shown.homepage] : [shown.homepage['en-US']];
    for (const text of homepages) {
      expect(text).toMatch(WRAPPED);
      expect(String(text).split('/').at(-1)).toBe(encodeURIComponent(homepage));
    }
    expect(flat ? shown.support_url : shown.support_url['en-US']).toBe('/');
    expect(flat ? shown.support_email : shown.support_email['en-US']).toBe('help@clock.example');
    expect(shown.contributions_url).toMatch(WRAPPED);
    if (!flat) expect(shown.homepage.de).toBe(`${app.url}/addon/other/`);
  });

  it('are the same in GraphQL with wrapLinks', async () => {
    interface Text {
      value: string;
      all: { locale: string; value: string }[];
    }
    type Texts = Record<'name' | 'description' | 'homepage' | 'supportUrl' | 'supportEmail' | 'eula', Text>;
    type Data = { addon: Texts & { contributionsUrl: string; currentVersion: { releaseNotes: Text } } };
    const query = `query($ref: Int!, $wrapLinks: Boolean) { addon(by: { databaseId: $ref }) { contributionsUrl(wrapLinks: $wrapLinks)
      name { ...T } description { ...T } homepage { ...T } supportUrl { ...T } supportEmail { ...T } eula { ...T }
      currentVersion { releaseNotes { ...T } } } }
      fragment T on Localized { value(lang: "en-US", wrapLinks: $wrapLinks) all(wrapLinks: $wrapLinks) { locale value } }`;
    const request = async (wrapLinks?: boolean | null) =>
      (await app.anonymous.graphql<Data>(query, { ref: made.id, wrapLinks })).addon;
    const inAll = ({ all }: Text) => Object.fromEntries(all.map(({ locale, value }) => [locale, value]));
    const rest = (await read('?wrap_outgoing_links')) as Shown & { name: Record<string, string> };
    const { eula } = (await read('', 'eula_policy/')) as unknown as { eula: Record<string, string> };
    const shown = await request(true);
    expect({
      name: inAll(shown.name),
      description: inAll(shown.description),
      homepage: inAll(shown.homepage),
      support_url: inAll(shown.supportUrl),
      support_email: inAll(shown.supportEmail),
      contributions_url: shown.contributionsUrl,
      eula: inAll(shown.eula),
      release_notes: inAll(shown.currentVersion.releaseNotes),
    }).toEqual({
      name: rest.name,
      description: rest.description,
      homepage: rest.homepage,
      support_url: rest.support_url,
      support_email: rest.support_email,
      contributions_url: rest.contributions_url,
      eula,
      release_notes: rest.current_version.release_notes,
    });
    expect(shown.homepage.value).toBe(rest.homepage['en-US']);
    expect(shown.description.value).toBe(rest.description['en-US']);
    for (const wrapLinks of [undefined, null, false])
      expect(JSON.stringify(await request(wrapLinks))).not.toMatch(WRAPPED);
  });

  it.each([
    'https://user:pw@clock.example/',
    'https://user@clock.example/',
    'https://:pw@clock.example/',
    'https://clock.example/\u0007a',
    'https://clock.example/\u0085',
    'https://clock.example/\n',
  ])('are neither wrapped nor followed if they are %j', async (address) => {
    const links = await import('../../src/auth/outgoing-links.ts');
    expect(links.wrapLink(address)).toBe('/');
    app.config.OUTGOING_ALLOWED_HOSTS = ['clock.example'];
    expect(links.wrapLink(address)).toBe('/');
    app.config.OUTGOING_ALLOWED_HOSTS = [];
    const { linkCode } = await import('../../src/auth/secret-box.ts');
    const signature = linkCode('outgoing-links', address).toString('hex');
    const path = `/outgoing/${signature}/${encodeURIComponent(address)}`;
    expect((await app.anonymous.get(path)).status).toBe(404);
  });

  it('stay as imported if invalid, and are not forwarded when wrapped', async () => {
    const odd = 'https://user:pw@clock.example/"><script>';
    const description = { 'en-US': '<a href="https://user:pw@clock.example/" rel="nofollow">It</a>' };
    const { id } = await addon({ homepage: { 'en-US': odd }, description });
    const shown = async (query: string) =>
      (await app.anonymous.get(`/api/v4/addons/addon/${id}/${query}`)).json as Shown;
    const wrapped = '<a href="/" rel="nofollow">It</a>';
    expect(await shown('')).toMatchObject({ homepage: { 'en-US': odd }, description: { 'en-US': wrapped } });
    expect(await shown('?wrap_outgoing_links')).toMatchObject({ homepage: { 'en-US': '/' } });
  });

  it('are forwarded, by GET and HEAD', async () => {
    const wrapped = (await read('?wrap_outgoing_links=true')).homepage['en-US'] ?? '';
    for (const method of ['GET', 'HEAD']) {
      const reply = await app.anonymous.request(method, wrapped);
      expect([reply.status, reply.headers.location, reply.headers['referrer-policy'], reply.bytes.length]).toEqual([
        302,
        new URL(homepage).href,
        'no-referrer',
        0,
      ]);
    }
    expect((await app.anonymous.request('POST', wrapped)).status).toBe(404);
  });

  it('are not forwarded without a signature of this service', async () => {
    const wrapped = new URL((await read('?wrap_outgoing_links=true')).homepage['en-US'] ?? '').pathname;
    const [, , signature = '', quoted = ''] = wrapped.split('/');
    for (const path of [
      `/outgoing/${signature}/${encodeURIComponent('https://evil.example/')}`,
      `/outgoing/${'0'.repeat(64)}/${quoted}`,
      `/outgoing/${signature.slice(1)}/${quoted}`,
      `/outgoing/${signature}/`,
      `/outgoing/${signature}/%`,
      `/outgoing/${signature}/${quoted}?more`,
      `/outgoing/${signature}/${quoted}/more`,
      `/outgoing/${signature.toUpperCase()}/${quoted}`,
      '/outgoing/',
    ]) {
      expect([(await app.anonymous.get(path)).status, path]).toEqual([404, path]);
    }
  });

  it('can use another host, and skip hosts that the operator allows', async () => {
    app.config.OUTGOING_URL = 'https://out.example/v1';
    app.config.OUTGOING_ALLOWED_HOSTS = ['pay.example'];
    const shown = await read('?wrap_outgoing_links=true');
    expect(shown.contributions_url).toBe('https://pay.example/');
    const wrapped = shown.homepage['en-US'] ?? '';
    expect(wrapped.startsWith('https://out.example/v1/')).toBe(true);
    expect((await app.anonymous.get(new URL(wrapped).pathname)).headers.location).toBe(new URL(homepage).href);
    app.config.OUTGOING_URL = undefined;
    app.config.OUTGOING_ALLOWED_HOSTS = [];
  });
});
