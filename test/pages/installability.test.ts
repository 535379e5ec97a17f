/* What programs do with a file of this service: one source of words for pages, help and docs/browsers.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../src/texts/languages.ts';
import { PAGES_DE } from '../../src/texts/pages.de.ts';
import { PAGES_EN } from '../../src/texts/pages.en.ts';
import { PAGES_HE } from '../../src/texts/pages.he.ts';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { textOf, Visitor, visitorOf } from '../support/pages.ts';
import { ROOT } from '../support/sources.ts';

const app = setUpApp();
let anonymous: Visitor;

const STORED = [{ files: [{ isStored: true }] }];

beforeAll(async () => {
  anonymous = new Visitor(app);
  await addon({ slug: 'lamp', name: { 'en-US': 'Lamp' }, versions: STORED });
  const compatibility = { mail_client: ['60.0', '*'] as [string, string] };
  await addon({ slug: 'post', name: { 'en-US': 'Post' }, versions: [{ ...STORED[0], compatibility }] });
});

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: PAGES_EN,
  de: PAGES_DE,
  he: PAGES_HE,
};

/** What the texts of a language say of each kind of programs. */
function sayings(language: Language): { program: string; name: string; does: string }[] {
  const texts = TEXTS[language];
  return ['own', 'managed', 'release', 'mail', 'other'].map((program) => ({
    program,
    name: texts[`install.${program}`] ?? '',
    does: texts[`install.${program}.does`] ?? '',
  }));
}

describe('what a program does with a file', () => {
  it.each(LANGUAGES)('is said in the same words by the page of an add-on and the help, in %s', async (language) => {
    const page = textOf(await anonymous.get(`/addon/lamp/?lang=${language}`));
    const version = textOf(await anonymous.get(`/addon/lamp/versions/1.0/?lang=${language}`));
    const help = textOf(await anonymous.get(`/docs/install/?lang=${language}`));
    for (const { program, name, does } of sayings(language)) {
      expect(help).toContain(`${name} ${does}`);
      // An add-on for a browser says nothing about mail clients, and says to other programs whom it is for.
      if (program === 'mail' || program === 'other') continue;
      for (const each of [page, version]) expect(each).toContain(`${name} ${does}`);
    }
  });

  it('is said in the same words by docs/browsers.md', () => {
    const guide = readFileSync(join(ROOT, 'docs/browsers.md'), 'utf8');
    for (const { name, does } of sayings('en')) expect(guide).toContain(`| ${name} | ${does} |`);
  });

  it('is said of the programs that the add-on is for', async () => {
    const [own, , , mail] = sayings('en');
    const page = textOf(await anonymous.get('/addon/post/'));
    expect(page).toContain(`${mail?.name} ${mail?.does}`);
    expect(page).not.toContain(own?.does);
    expect(page).toContain('For Mail client 60.0 and later, not your browser');
  });
});

describe('a file of a format before WebExtensions', () => {
  it('is no promise: its page says whom it is for, and leads to what the visitor searched', async () => {
    const compatibility = { desktop_browser: ['38.0', '56.*'] as [string, string] };
    const files = [{ isStored: true, isWebextension: false }];
    await addon({ slug: 'relic', name: { 'en-US': 'Relic' }, versions: [{ compatibility, files }] });
    const page = await anonymous.get('/addon/relic/?q=old+relic');
    expect(textOf(page)).toMatch(
      /Today’s programs cannot install this file It has an older format, for Desktop browser 38\.0 to 56\.\* ?\. Download only\./,
    );
    expect(page.text).toContain('<a href="/search/?q=old+relic">Find other add-ons</a>');
    expect(page.text).not.toContain('data-install');
  });
});

describe('the install link', () => {
  it('promises no browser more than the help does', async () => {
    const { text } = await anonymous.get('/addon/lamp/');
    expect(text).not.toMatch(/Works with your browser|needs the root certificate/);
    expect(text).toContain('Made for this browser. Its build decides whether it installs the file.');
    expect(text).not.toContain('class="works"');
  });

  it('has a download for programs that it is not for', async () => {
    const { text } = await anonymous.get('/addon/lamp/');
    const [, saved = ''] = /data-saved="([^"]+)"/.exec(text) ?? [];
    expect(saved).toMatch(/\/downloads\/file\/\d+\/.*download=1$/);
    expect(text).toContain('For Desktop browser');
    expect(text).toContain(`<a href="${saved}">save the file</a>`);
  });

  it('has the agreement first in programs that it is not for, too', async () => {
    await addon({ slug: 'terms', name: { 'en-US': 'Terms' }, eula: { 'en-US': 'Be kind.' }, versions: STORED });
    const { text } = await anonymous.get('/addon/terms/');
    expect(text).toContain('data-saved="/addon/terms/eula/" data-save="Save the file"');
    expect(text).not.toContain('/downloads/file/');
    const agreement = await anonymous.get('/addon/terms/eula/');
    expect(agreement.text).toMatch(/data-saved="[^"]+download=1" data-save="Accept and save the file"/);
    expect(textOf(agreement)).toContain('Accept and install');
  });
});

it('a page of a version that waits says that it is not signed yet', async () => {
  const reviewer = await visitorOf(app, await app.reviewer());
  await addon({
    slug: 'half-signed',
    versions: [{ version: '1.0' }, { version: '1.1', files: [{ status: 1, isStored: true }] }],
  });
  const waiting = await reviewer.get('/addon/half-signed/versions/1.1/');
  expect(textOf(waiting)).toMatch(/This version is not signed yet Visitors do not see it\. .* Uploaded /);
  const signed = textOf(await reviewer.get('/addon/half-signed/versions/1.0/'));
  expect(signed).not.toContain('not signed yet');
  expect(signed).toContain('Released');
});
