import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { withGlobalIds } from '../support/global-ids.ts';
import { jpeg, png } from '../support/pictures.ts';
import { sendFile } from '../support/send-file.ts';

const app = setUpApp();
let artist: Client;
let reviewer: Client;
let choices: { category: number; license: number };

beforeAll(async () => {
  artist = await app.developer();
  reviewer = await app.memberWith('Personas:Review');
  const [category] = await app.sql<{ id: number }>(
    `select id from category where type = 'persona' order by id limit 1`,
  );
  const [license] = await app.sql<{ id: number }>(`select id from license where builtin = 'CC-BY-4.0'`);
  choices = { category: category?.id ?? 0, license: license?.id ?? 0 };
});

const ERROR = '__typename ... on UserError { code message path }';
const SHOWN = `addon { databaseId guid status type license { builtin } categories { databaseId }
  themeData { accentColor textColor headerUrl footerUrl previewUrl iconUrl } }`;
const CREATE = `mutation($input: CreatePersonaInput!) { result: createPersona(input: $input) { ${ERROR}
  ... on CreatePersonaPayload { ${SHOWN} } } }`;
const UPDATE = `mutation($input: UpdatePersonaInput!) { result: updatePersona(input: $input) { ${ERROR}
  ... on UpdatePersonaPayload { ${SHOWN} } } }`;
const REVIEW = `mutation($input: ReviewPersonaInput!) { result: reviewPersona(input: $input) { ${ERROR}
  ... on ReviewPersonaPayload { ${SHOWN} } } }`;

interface Shown {
  addon: { databaseId: number; status: string; themeData: Record<string, string> };
}
const run = async (client: Client, query: string, input: object) =>
  (await client.graphql<{ result: unknown }>(query, { input: withGlobalIds(query, input) })).result as Shown;

const english = (value: string) => [{ locale: 'en-US', value }];
const facts = (changes: object = {}) => ({
  ...choices,
  name: [...english('Dusk'), { locale: 'de', value: 'Dämmerung' }],
  summary: english('Dark.'),
  accentColor: '#ABC',
  textColor: 'ffffff',
  ...changes,
});
const create = async (changes: object = {}, header?: Buffer) =>
  (await sendFile(artist, CREATE, facts(changes), header ?? (await jpeg(3000, 200)), {
    field: 'header',
  })) as unknown as Shown;
const status = async (id: number) =>
  (await app.sql<{ status: string }>('select status from addon where id = $1', [id]))[0]?.status;

describe('createPersona', () => {
  it('creates a persona that is public once a reviewer approves it', async () => {
    const { addon: made } = await create();
    expect(made).toMatchObject({
      status: 'PENDING',
      type: 'PERSONA',
      license: { builtin: 'CC-BY-4.0' },
      categories: [{ databaseId: choices.category }],
      themeData: { accentColor: '#aabbcc', textColor: '#ffffff', footerUrl: null },
    });
    const { databaseId: id, themeData } = made;
    const detail = `/api/v4/addons/addon/${id}/`;
    expect((await app.anonymous.get(detail)).status).toBe(401);
    expect((await app.anonymous.get(`/themes/update-check/${id}`)).status).toBe(404);
    // The owner views these pictures in a page, which sends no credentials with image requests.
    for (const url of ['headerUrl', 'previewUrl', 'iconUrl'].map((key) => themeData[key] ?? '')) {
      expect((await app.anonymous.get(url)).status).toBe(200);
      expect((await app.anonymous.get(url.replace(/\?.*/, ''))).status).toBe(404);
    }

    expect(await run(artist, REVIEW, { id, approve: true })).toMatchObject({ __typename: 'NotPermittedError' });
    expect(await run(reviewer, REVIEW, { id, approve: true, comments: 'Nice.' })).toMatchObject({
      addon: { status: 'PUBLIC' },
    });
    expect(await run(reviewer, REVIEW, { id, approve: true })).toMatchObject({
      message: 'This persona is not waiting for a review.',
    });
    const shown = (await app.anonymous.get(detail)).json as { theme_data: object; icons: Record<string, string> };
    expect(shown.theme_data).toMatchObject({ name: 'Dusk', header: themeData.headerUrl, accentcolor: '#aabbcc' });
    const version = { version: '1.0', channel: 'listed', files: [], license: { name: expect.anything() } };
    expect(shown).toMatchObject({ current_version: { ...version, compatibility: { desktop_browser: { max: '*' } } } });
    const { width } = await sharp((await app.anonymous.get(shown.icons[64] ?? '')).bytes).metadata();
    expect(width).toBe(64);
    const { results } = (await app.anonymous.get('/api/v4/addons/search/?q=dusk&type=persona')).json as {
      results: { id: number }[];
    };
    expect(results.map((result) => result.id)).toEqual([id]);
    const rows = await app.sql('select action, account_id, comments from activity where addon_id = $1 order by id', [
      id,
    ]);
    expect(rows).toEqual([
      { action: 'addon-created', account_id: artist.accountId, comments: '' },
      { action: 'approved', account_id: reviewer.accountId, comments: 'Nice.' },
    ]);
  });

  it('refuses missing and invalid fields, and names the field', async () => {
    const extension = await app.sql<{ id: number }>(`select id from category where type = 'extension' limit 1`);
    const wrong: [object, string, unknown][] = [
      [{ name: english(' ') }, 'name', 'This field may not be blank.'],
      [{ name: [{ locale: 'de', value: 'Nur deutsch' }] }, 'name', 'This field is required.'],
      [{ name: english('x'.repeat(51)) }, 'name', 'Ensure this value has at most 50 characters (it has 51).'],
      [{ summary: english('x'.repeat(251)) }, 'summary', 'Ensure this value has at most 250 characters (it has 251).'],
      [{ summary: [] }, 'summary', 'This field is required.'],
      [{ defaultLocale: 'tlh' }, 'defaultLocale', "The language code 'tlh' is invalid."],
      [{ accentColor: 'red' }, 'accentColor', beginningWith('Enter a color of the form #rrggbb.')],
      [{ textColor: '#12345' }, 'textColor', beginningWith('Enter a color of the form #rrggbb.')],
      [{ category: extension[0]?.id }, 'category', 'A category does not exist, or is of another add-on type.'],
      [{ license: 99_999 }, 'license', 'There is no such licence.'],
    ];
    for (const [changes, field, message] of wrong) {
      expect(await create(changes)).toEqual({
        __typename: 'InvalidInputError',
        code: 'BAD_USER_INPUT',
        message,
        path: [field],
      });
    }
    app.config.RESERVED_NAMES = ['Acme'];
    expect(await create({ name: english('Acme Dusk') })).toMatchObject({ path: ['name'] });
    app.config.RESERVED_NAMES = [];
    const size = beginningWith('Image must be exactly 3000 pixels wide and 200 pixels tall.');
    expect(await create({}, await jpeg(680, 100))).toMatchObject({ message: size, path: ['header'] });
    expect(await create({}, Buffer.alloc(300 * 1024 + 1))).toMatchObject({
      message: 'Images cannot be larger than 300KB.',
      path: ['header'],
    });
    expect(await create({}, Buffer.from('<svg/>'))).toMatchObject({
      message: beginningWith('Images must be either PNG or JPG.'),
    });
    expect(await app.sql(`select from addon where type = 'persona' and status = 'pending'`)).toEqual([]);
  });

  it('names the field of an invalid id', async () => {
    expect(await create({ category: 'x' })).toMatchObject({ path: ['category'] });
    expect(await create({ license: 'x' })).toMatchObject({ path: ['license'] });
  });
});

describe('reviewPersona', () => {
  const revisionOf = async (id: number) => {
    const { addon: found } = await reviewer.graphql<{ addon: { revision: string } }>(
      'query($ref: Int!) { addon(by: { databaseId: $ref }) { revision } }',
      { ref: id },
    );
    return found.revision;
  };

  it('decides only about the revision that the reviewer has seen', async () => {
    const id = (await create()).addon.databaseId;
    const revision = await revisionOf(id);
    const header = await png(3000, 200, '#0000ff');
    await sendFile(artist, UPDATE, { id }, header, { field: 'picture.header' });
    for (const approve of [true, false]) {
      expect(await run(reviewer, REVIEW, { id, approve, revision })).toEqual({
        __typename: 'InvalidInputError',
        code: 'BAD_USER_INPUT',
        message: 'It has changed since you looked at it.',
        path: ['revision'],
      });
    }
    expect(await run(reviewer, REVIEW, { id, approve: true, revision: 'x' })).toMatchObject({ path: ['revision'] });
    expect(await status(id)).toBe('pending');
    expect(await run(reviewer, REVIEW, { id, approve: true, revision: await revisionOf(id) })).toMatchObject({
      addon: { status: 'PUBLIC' },
    });
  });
});

describe('updatePersona', () => {
  it('changes colours and pictures, and sends a public persona with a new picture back to review', async () => {
    const { addon: made } = await create();
    const id = made.databaseId;
    await run(reviewer, REVIEW, { id, approve: true });
    const colours = await run(artist, UPDATE, { id, accentColor: null, textColor: '#010203' });
    expect(colours.addon).toMatchObject({ status: 'PUBLIC', themeData: { accentColor: null, textColor: '#010203' } });

    const footer = await png(3000, 100);
    const withFooter = (await sendFile(artist, UPDATE, { id }, footer, {
      field: 'picture.footer',
    })) as unknown as Shown;
    expect(withFooter.addon.status).toBe('REVIEW_PENDING');
    expect((await app.anonymous.get(withFooter.addon.themeData.footerUrl ?? '')).status).toBe(200);
    expect((await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).status).toBe(401);
    expect(await run(reviewer, REVIEW, { id, approve: false, comments: 'No.' })).toMatchObject({
      addon: { status: 'REJECTED' },
    });

    const header = await png(3000, 200, '#00ff00');
    const again = (await sendFile(artist, UPDATE, { id }, header, { field: 'picture.header' })) as unknown as Shown;
    expect(again.addon.status).toBe('REVIEW_PENDING');
    expect(again.addon.themeData.headerUrl).not.toBe(made.themeData.headerUrl);
    expect((await app.anonymous.get(made.themeData.headerUrl ?? '')).status).toBe(404);
    const without = await run(artist, UPDATE, { id, removeFooter: true });
    expect(without.addon.themeData).toMatchObject({ footerUrl: null, headerUrl: again.addon.themeData.headerUrl });
    await run(reviewer, REVIEW, { id, approve: true });
    expect(await app.sql('select version from version where addon_id = $1', [id])).toEqual([{ version: '1.0' }]);
  });

  it('keeps its pictures while the operator has disabled it, which staff do not change either', async () => {
    const { addon: made } = await create();
    const id = made.databaseId;
    await run(reviewer, REVIEW, { id, approve: true });
    const operator = await app.memberWith('Addons:Edit');
    const DISABLE = `mutation($input: SetAddonDisabledInput!) { result: setAddonDisabled(input: $input) { ${ERROR} } }`;
    await run(operator, DISABLE, { id, by: 'OPERATOR', isDisabled: true });
    const footer = await png(3000, 100);
    for (const client of [artist, operator]) {
      expect(await sendFile(client, UPDATE, { id }, footer, { field: 'picture.footer' })).toMatchObject({
        __typename: 'NotPermittedError',
      });
    }
    await run(operator, DISABLE, { id, by: 'OPERATOR', isDisabled: false });
    expect(await status(id)).toBe('public');
  });

  it('sends an incomplete persona, as imports may contain, to review', async () => {
    const authors = [artist.accountId ?? 0];
    const { id } = await addon({ type: 'persona', status: 'incomplete', persona: {}, authors });
    await sendFile(artist, UPDATE, { id }, await png(3000, 200), { field: 'picture.header' });
    expect(await run(reviewer, REVIEW, { id, approve: true })).toMatchObject({ addon: { status: 'PUBLIC' } });
  });

  it('refuses other accounts, other add-on types, and invalid sizes and colours', async () => {
    const id = (await create()).addon.databaseId;
    const stranger = await app.developer();
    expect(await run(stranger, UPDATE, { id, accentColor: '#fff' })).toMatchObject({ __typename: 'NotPermittedError' });
    const extension = await addon({ authors: [artist.accountId ?? 0] });
    expect(await run(artist, UPDATE, { id: extension.id, accentColor: '#fff' })).toMatchObject({
      message: 'This add-on is not a persona.',
    });
    expect(await run(reviewer, REVIEW, { id: extension.id, approve: true })).toMatchObject({
      __typename: 'NotFoundError',
    });
    expect(await run(artist, UPDATE, { id, accentColor: 'no' })).toMatchObject({ path: ['accentColor'] });
    const wrong = await sendFile(artist, UPDATE, { id }, await png(3000, 200), { field: 'picture.footer' });
    const message = beginningWith('Image must be exactly 3000 pixels wide and 100 pixels tall.');
    expect(wrong).toMatchObject({ message, path: ['footer'] });
    expect(await run(artist, UPDATE, { id: 999_999 })).toMatchObject({ __typename: 'NotFoundError' });
  });
});
