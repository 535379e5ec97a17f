import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { make, stored } from '../support/updates.ts';

const app = setUpApp();

describe('GET /<language>/addon/<slug>/versions/<number>/updateinfo/', () => {
  const page = (slug: string, version: string, locale = 'en-US') =>
    app.anonymous.get(`/${locale}/addon/${slug}/versions/${version}/updateinfo/`);

  it('shows line ends where no tag ends the line, however many follow each other', async () => {
    const shown = async (notes: string) => {
      const { slug } = await make({ releaseNotes: { 'en-US': notes } });
      return /<div>(.*)<\/div>/s.exec((await page(slug, '1.0')).text)?.[1];
    };
    expect(await shown('<p>One</p>\nTwo \n\n Three')).toBe('<p>One</p>\nTwo<br>\nThree');
    const lines = '\n'.repeat(2_000);
    expect(await shown(`One${lines}<p>Two</p>`)).toBe(`One${lines}<p>Two</p>`);
  });

  it('shows the release notes in the nearest language', async () => {
    const releaseNotes = {
      'en-US': 'First &amp; <b>bold</b>\nsecond\n<ul>\n<li>item</li>\n</ul>',
      'en-CA': 'Canadian',
      de: 'Neu',
      ar: 'جديد',
    };
    const { slug } = await make({ releaseNotes }, { defaultLocale: 'de', slug: 'Notes+é' });
    const reply = await page(encodeURIComponent(slug), '1.0', 'en-US-posix');
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('<div>First &amp; <b>bold</b><br>\nsecond\n<ul>\n<li>item</li>\n</ul></div>');
    expect(reply.text).toContain('<html lang="en-US" dir="ltr">');
    expect(reply.headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    );
    const shown = async (locale: string) =>
      /<div>(\S*)/.exec((await page(encodeURIComponent(slug), '1.0', locale)).text)?.[1];
    expect(await shown('en-CA')).toBe('Canadian</div>');
    expect(await shown('en')).toBe('First');
    expect(await shown('ar-EG')).toBe('جديد</div>');
    for (const locale of ['de-AT', 'xx', 'C', '%APP_LOCALE%', '%', '__proto__', '-', '..%2F', '%00']) {
      expect([locale, await shown(locale)]).toEqual([locale, 'Neu</div>']);
    }
    const etag = reply.headers.etag ?? '';
    const path = `/en-US/addon/${encodeURIComponent(slug)}/versions/1.0/updateinfo`;
    expect((await app.anonymous.get(path, { 'If-None-Match': etag })).status).toBe(304);
    expect((await app.anonymous.head(path)).status).toBe(200);
    expect((await app.anonymous.request('POST', path)).status).toBe(404);
  });

  it('removes markup that is not allowed, even when it is stored', async () => {
    const { slug } = await make({ releaseNotes: { 'en-US': '<script>alert(1)</script><b onclick="x">fine</b>' } });
    expect((await page(slug, '1.0')).text).toContain('<div><b>fine</b></div>');
  });

  it('is not found for other versions', async () => {
    const notes = { releaseNotes: { 'en-US': 'Text' } };
    const { slug } = await addon({
      versions: [stored(notes), stored({ version: '2.0' }), stored({ ...notes, version: '3.0', channel: 'unlisted' })],
    });
    const { slug: hidden } = await make(notes, { isDisabledByDeveloper: true });
    expect((await page(slug, '1.0')).status).toBe(200);
    for (const version of ['2.0', '3.0', '4.0', '%00', '%ED%A0%80', '%ZZ', 'x'.repeat(300)]) {
      expect([version, (await page(slug, version)).status]).toEqual([version, 404]);
    }
    for (const other of [hidden, 'unknown', '%00', '%', 'x'.repeat(300)]) {
      expect([other, (await page(other, '1.0')).status]).toEqual([other, 404]);
    }
  });
});
