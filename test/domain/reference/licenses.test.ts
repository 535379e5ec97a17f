import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { mutate } from '../../support/mutate.ts';
import { addons } from '../../support/program.ts';

const app = setUpApp();
let operator: Client;
beforeAll(async () => {
  operator = await app.memberWith('Admin:Catalogue');
});

const audits = () =>
  app.sql<{ action: string; details: object }>(
    "SELECT action, details FROM audit_entry WHERE actor LIKE 'account %' ORDER BY id",
  );
const english = (value: string) => [{ locale: 'en-US', value }];
const SAVED = { __typename: 'UpsertLicensePayload' };

/** A public add-on whose version uses a built-in licence. */
async function addonWithLicense(builtin: string): Promise<number> {
  const { id } = await addon();
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    const { id: licenseId } = await tx.license.findUniqueOrThrow({ where: { builtin } });
    await tx.version.updateMany({ where: { addonId: id }, data: { licenseId } });
    await publishAddons(tx, [id]);
  });
  return id;
}

describe('built-in licences', () => {
  const builtin = 'EUPL-1.2';

  it('are created once, with names, sanitised texts and an address', async () => {
    const text = english('<b>May</b> be used.<script>x</script>');
    expect(
      await mutate(operator, 'upsertLicense', { builtin, name: english('EUPL'), text, url: 'https://spdx.org/x' }),
    ).toEqual(SAVED);
    expect(await mutate(operator, 'upsertLicense', { builtin: 'eupl-1.2', url: '' })).toEqual(SAVED);
    expect(await app.sql("SELECT name, text, url FROM license WHERE lower(builtin) = 'eupl-1.2'")).toEqual([
      { name: { 'en-US': 'EUPL' }, text: { 'en-US': '<b>May</b> be used.' }, url: null },
    ]);
    expect((await audits()).slice(-2)).toMatchObject([
      { action: 'license-set', details: { builtin, url: 'https://spdx.org/x' } },
      { action: 'license-set', details: { builtin, url: null } },
    ]);
  });

  it('are not changed by a repetition', async () => {
    const id = await addonWithLicense(builtin);
    const facts = { name: english('Repeated'), text: english('<b>May</b> be used.'), url: 'https://spdx.org/z' };
    const state = async () => [
      await audits(),
      await app.sql('SELECT row_version FROM addon_document WHERE addon_id = $1', [id]),
    ];
    expect(await mutate(operator, 'upsertLicense', { builtin, ...facts })).toEqual(SAVED);
    const once = await state();
    for (const again of [facts, { name: facts.name }, {}]) {
      expect(await mutate(operator, 'upsertLicense', { builtin, ...again })).toEqual(SAVED);
      expect(await state()).toEqual(once);
    }
  });

  it('are stored without characters that PostgreSQL cannot store', async () => {
    const facts = { builtin: 'Odd-1.0', name: english('Odd'), url: 'https://a.example/x\ud800y' };
    expect(await mutate(operator, 'upsertLicense', facts)).toEqual(SAVED);
    expect(await app.sql("SELECT url FROM license WHERE builtin = 'Odd-1.0'")).toEqual([
      { url: 'https://a.example/x\ufffdy' },
    ]);
    expect((await audits()).at(-1)?.details).toMatchObject({ url: 'https://a.example/x\ufffdy' });
  });

  it('in use can be renamed, but neither reworded nor deleted', async () => {
    const id = await addonWithLicense(builtin);
    const name = [...english('European licence'), { locale: 'de', value: 'Europäische Lizenz' }];
    expect(await mutate(operator, 'upsertLicense', { builtin, name, url: 'https://spdx.org/y' })).toEqual(SAVED);
    const german = [{ locale: 'de', value: 'Darf benutzt werden.' }];
    expect(await mutate(operator, 'upsertLicense', { builtin, text: german })).toEqual(SAVED);
    const shown = (await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).json as {
      current_version: { license: { name: object; url: string } };
    };
    expect(shown.current_version.license).toMatchObject({
      name: { 'en-US': 'European licence', de: 'Europäische Lizenz' },
      url: 'https://spdx.org/y',
    });
    for (const text of [english('May not be used.'), [{ locale: 'de', value: null }]]) {
      expect(await mutate(operator, 'upsertLicense', { builtin, text })).toMatchObject({ path: ['text'] });
    }
    expect(await mutate(operator, 'deleteLicense', { builtin })).toMatchObject({
      message: 'This licence is used.',
      path: ['builtin'],
    });
  });

  it('have their new names and texts in later fields of the same request', async () => {
    const { id } = await addon({ authors: [operator.accountId ?? 0] });
    const license = (await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'"))[0]?.id;
    const fields = 'license { name { value } text { value } }';
    const choose = `updateAddon(input: { id: "${globalId('Addon', id)}", license: "${globalId('License', license)}" }) { ... on UpdateAddonPayload { addon { ${fields}
      currentVersion { ${fields} } } } }`;
    const words = '[{ locale: "en-US", value: "Changed" }]';
    const { after } = await operator.graphql<{ after: unknown }>(`mutation { before: ${choose}
      upsertLicense(input: { builtin: "MIT", name: ${words}, text: ${words} }) { __typename } after: ${choose} }`);
    const expected = { license: { name: { value: 'Changed' }, text: { value: 'Changed' } } };
    expect(after).toEqual({ addon: { ...expected, currentVersion: expected } });
  });

  it('not in use can be reworded and deleted', async () => {
    const unused = { builtin: 'Zlib' };
    expect(
      await mutate(operator, 'upsertLicense', { ...unused, name: english('zlib'), text: english('Yes.') }),
    ).toEqual(SAVED);
    expect(await mutate(operator, 'upsertLicense', { ...unused, text: english('No.') })).toEqual(SAVED);
    expect(await mutate(operator, 'deleteLicense', unused)).toEqual({ __typename: 'DeleteLicensePayload' });
    expect(await mutate(operator, 'deleteLicense', unused)).toMatchObject({ message: 'There is no such licence.' });
    expect((await audits()).at(-1)).toEqual({ action: 'license-deleted', details: unused });
  });

  it.each([
    [{}, 'name'],
    [{ name: [{ locale: 'xx', value: 'X' }] }, 'name'],
    [{ name: english('x'.repeat(201)) }, 'name'],
    [{ name: english('X'), text: [{ locale: 'xx', value: 'X' }] }, 'text'],
    [{ name: english('X'), url: 'javascript:x' }, 'url'],
    [{ name: english('X'), url: 'https://a.example/\0' }, 'url'],
    [{ name: english('X'), url: 'https://user:pw@a.example/' }, 'url'],
    [{ name: english('X'), builtin: '' }, 'builtin'],
    [{ name: english('X'), builtin: 'a b' }, 'builtin'],
    [{ name: english('X'), builtin: 'a\0' }, 'builtin'],
    [{ name: english('X'), builtin: 'x'.repeat(65) }, 'builtin'],
  ])('refuse %j', async (wrong, field) => {
    expect(await mutate(operator, 'upsertLicense', { builtin: 'New-1.0', ...wrong })).toMatchObject({ path: [field] });
    expect(await app.sql("SELECT id FROM license WHERE builtin = 'New-1.0'")).toEqual([]);
  });

  it.each(['upsertLicense', 'deleteLicense'] as const)('require Admin:Catalogue: %s', async (name) => {
    const before = await audits();
    const input = { builtin: 'MIT' };
    expect((await mutate(await app.memberWith('Admin:Curation'), name, input)).__typename).toBe('NotPermittedError');
    await expect(mutate(app.anonymous, name, input)).rejects.toThrow('NOT_AUTHENTICATED');
    expect(await audits()).toEqual(before);
  });
});

describe('the command line', () => {
  const run = (...words: string[]) => addons(words, { DATABASE_URL: app.config.DATABASE_URL ?? '' });
  const refused = (message: string) => ({ code: 1, stdout: '', stderr: `addons: ${message}\n` });

  it('sets, lists and deletes licences', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'licence-test-'));
    await writeFile(join(folder, 'text'), 'Do as you like.');
    const name = ['--name', 'en-US=Zero', '--name', 'de=Null'];
    expect(await run('license', 'set', '0BSD', ...name, '--text', `en-US=${join(folder, 'text')}`)).toMatchObject({
      code: 0,
      stdout: 'Developers can choose 0BSD.\n',
    });
    await rm(folder, { recursive: true });
    expect(await app.sql("SELECT text FROM license WHERE builtin = '0BSD'")).toEqual([
      { text: { 'en-US': 'Do as you like.' } },
    ]);
    expect((await run('license', 'list')).stdout.split('\n')).toContain('0BSD\tde=Null\ten-US=Zero');
    expect(await run('license', 'set', '0BSD', '--text', `en-US=${join(folder, 'text')}`)).toMatchObject({ code: 1 });
    expect(await run('license', 'set', '0BSD', '--name', 'Zero')).toEqual(
      refused("--name: 'Zero' does not look like 'en-US=…'"),
    );
    expect(await run('license', 'delete', '0BSD')).toMatchObject({ code: 0 });
    expect(await run('license', 'delete', '0BSD')).toMatchObject({ code: 1, stdout: '' });
    expect(await run('license', 'delete')).toMatchObject({ code: 2 });
  });

  it('sets, lists and deletes categories', async () => {
    const key = ['mail_client', 'extension', 'calendars'];
    expect(await run('category', 'set', ...key, '--name', 'en-US=Calendars', '--weight', '-2')).toMatchObject({
      code: 2,
    });
    expect(await run('category', 'set', ...key, '--name', 'en-US=Calendars', '--weight=-2')).toMatchObject({
      code: 0,
      stdout: 'mail_client has the category calendars for the type extension.\n',
    });
    expect((await run('category', 'list', 'mail_client', 'extension')).stdout).toMatch(
      /^calendars\t-2\ten-US=Calendars$/m,
    );
    expect(await run('category', 'set', ...key, '--weight', 'x')).toEqual(
      refused("--weight: 'x' is not a whole number"),
    );
    expect((await run('category', 'list', 'mail_client', 'plugin')).stderr).toMatch(
      /^addons: unknown type 'plugin'; use one of extension/,
    );
    expect(await run('category', 'delete', ...key)).toMatchObject({ code: 0 });
    expect(await run('category', 'delete', ...key)).toMatchObject({ code: 1, stdout: '' });
  });
});
