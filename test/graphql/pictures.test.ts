import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UploadedFile } from '../../src/infra/staging/staging.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { withGlobalIds } from '../support/global-ids.ts';
import { mutate } from '../support/mutate.ts';
import { jpeg, png, refusedPictures } from '../support/pictures.ts';
import { sendFile } from '../support/send-file.ts';

const app = setUpApp();
let owner: Client;
let stranger: Client;
let made: MadeAddon;

beforeAll(async () => {
  [owner, stranger] = [await app.developer(), await app.developer()];
  made = await addon({ authors: [owner.accountId ?? 0] });
});

const ERROR = '__typename ... on UserError { code message path }';
const SET_ICON = `mutation($input: SetAddonIconInput!) { result: setAddonIcon(input: $input) { ${ERROR}
  ... on SetAddonIconPayload { addon { iconUrl icons { size url } } } } }`;
const ADD_PREVIEW = `mutation($input: AddPreviewInput!) { result: addPreview(input: $input) { ${ERROR}
  ... on AddPreviewPayload { preview { databaseId } addon { previews {
    databaseId caption { all { locale value } } imageSize { width height } imageUrl thumbnailSize { width height } thumbnailUrl } } } } }`;
const UPDATE_PREVIEW = `mutation($input: UpdatePreviewInput!) { result: updatePreview(input: $input) { ${ERROR}
  ... on UpdatePreviewPayload { preview { databaseId } addon { previews { databaseId caption { all { locale value } } } } } } }`;
const DELETE_PREVIEW = `mutation($input: DeletePreviewInput!) { result: deletePreview(input: $input) { ${ERROR}
  ... on DeletePreviewPayload { deletedId addon { previews { databaseId } } } } }`;
const SET_PICTURE = `mutation($input: SetAccountPictureInput!) { result: setAccountPicture(input: $input) { ${ERROR}
  ... on SetAccountPicturePayload { account { databaseId pictureUrl pictureType } } } }`;

type Result = Record<string, unknown> & { addon: never };
const run = async (client: Client, query: string, input: object): Promise<Result> =>
  (await client.graphql<{ result: Result }>(query, { input: withGlobalIds(query, input) })).result;

const activity = async (): Promise<unknown[]> => {
  const rows = await app.sql<{ action: string }>('select action from activity where addon_id = $1 order by id', [
    made.id,
  ]);
  return rows.map(({ action }) => action);
};

const previewOf = (result: Record<string, unknown>) =>
  (result as { preview: { databaseId: number } }).preview.databaseId;

/** The add-on in REST's JSON. */
const shown = async () =>
  (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`)).json as {
    icon_url: string;
    icons: Record<string, string>;
    previews: { id: number; caption: unknown; image_url: string }[];
    authors: { picture_url: string }[];
  };

describe('setAddonIcon', () => {
  it('sets the icon of an add-on, and removes it', async () => {
    const result = await sendFile(owner, SET_ICON, { id: made.id }, await png(100, 100));
    expect(result).toMatchObject({ __typename: 'SetAddonIconPayload' });
    const { icon_url: url, icons } = await shown();
    expect(url).toMatch(new RegExp(`/media/addons/${made.id}/icon-32.png\\?modified=[0-9a-f]{8}$`));
    expect((await app.anonymous.get(icons[64] ?? '')).status).toBe(200);

    expect(await run(owner, SET_ICON, { id: made.id })).toMatchObject({ __typename: 'SetAddonIconPayload' });
    expect((await shown()).icon_url).toContain('/static/img/addon-icon-32.png');
    expect((await app.anonymous.get(url)).status).toBe(404);
    expect(await run(owner, SET_ICON, { id: made.id })).toMatchObject({ __typename: 'SetAddonIconPayload' });
    expect(await activity()).toEqual(['icon-set', 'icon-removed']);
  });

  it('refuses everything but still PNG and JPEG images, and leaves nothing in staging', async () => {
    for (const [name, bytes, words] of (await refusedPictures()).slice(0, 20)) {
      const result = await sendFile(owner, SET_ICON, { id: made.id }, bytes, {
        fileName: 'icon.png',
        type: 'image/png',
      });
      expect([name, result]).toEqual([
        name,
        {
          __typename: 'InvalidInputError',
          code: 'BAD_USER_INPUT',
          message: expect.stringContaining(words),
          path: ['file'],
        },
      ]);
    }
    const large = await sendFile(owner, SET_ICON, { id: made.id }, Buffer.alloc(4 * 1024 * 1024 + 1));
    expect(large).toMatchObject({ message: beginningWith('Please use images smaller than 3MB.'), path: ['file'] });
    const limit = await sendFile(owner, SET_ICON, { id: made.id }, Buffer.alloc(4 * 1024 * 1024));
    expect(limit).toMatchObject({ message: beginningWith('Icons must be either PNG or JPG.') });
    expect(await readdir(join(app.config.DATA_DIR, 'blobs/staging'))).toEqual([]);
    expect((await shown()).icon_url).toContain('/static/img/');
  });

  it('is allowed for developers of the add-on and holders of Addons:Edit', async () => {
    const icon = await png(10, 10);
    const refused = await sendFile(stranger, SET_ICON, { id: made.id }, icon);
    expect(refused).toMatchObject({ __typename: 'NotPermittedError' });
    expect(await run(stranger, SET_ICON, { id: made.id })).toMatchObject({ __typename: 'NotPermittedError' });
    expect(await sendFile(owner, SET_ICON, { id: 999_999 }, icon)).toMatchObject({ __typename: 'NotFoundError' });
    expect(
      (await app.anonymous.graphqlResult(SET_ICON, { input: withGlobalIds(SET_ICON, { id: made.id }) })).errors?.[0]
        ?.extensions?.code,
    ).toBe('NOT_AUTHENTICATED');
    const editor = await app.memberWith('Addons:Edit');
    expect(await sendFile(editor, SET_ICON, { id: made.id }, icon)).toMatchObject({
      __typename: 'SetAddonIconPayload',
    });
  });
});

describe('previews', () => {
  const ids = async () => (await shown()).previews.map(({ id }) => id);

  it('can be added, described, moved and deleted', async () => {
    const first = await sendFile(
      owner,
      ADD_PREVIEW,
      { addon: made.id, caption: [{ locale: 'de', value: ' Eins ' }] },
      await jpeg(1000, 750),
    );
    expect(first).toMatchObject({
      addon: {
        previews: [
          {
            caption: { all: [{ locale: 'de', value: 'Eins' }] },
            imageSize: { width: 1000, height: 750 },
            thumbnailSize: { width: 640, height: 480 },
          },
        ],
      },
    });
    const second = await sendFile(owner, ADD_PREVIEW, { addon: made.id }, await png(50, 50));
    const third = await sendFile(owner, ADD_PREVIEW, { addon: made.id, position: 0 }, await png(60, 50));
    const [one, two, three] = [previewOf(first), previewOf(second), previewOf(third)];
    expect(await ids()).toEqual([three, one, two]);
    for (const { image_url: url } of (await shown()).previews) expect((await app.anonymous.get(url)).status).toBe(200);

    await run(owner, UPDATE_PREVIEW, { id: three, position: 99 });
    await run(owner, UPDATE_PREVIEW, { id: two, position: -5 });
    expect(await ids()).toEqual([two, one, three]);
    const caption = [
      { locale: 'en-us', value: 'One' },
      { locale: 'de', value: null },
    ];
    expect(previewOf(await run(owner, UPDATE_PREVIEW, { id: one, caption }))).toBe(one);
    expect((await shown()).previews[1]?.caption).toEqual({ 'en-US': 'One' });

    expect(await run(owner, DELETE_PREVIEW, { id: one })).toMatchObject({ deletedId: btoa(`Preview:${one}`) });
    expect(await run(owner, DELETE_PREVIEW, { id: one })).toMatchObject({ __typename: 'NotFoundError' });
    expect(await ids()).toEqual([two, three]);
    expect((await activity()).slice(-7)).toEqual([
      ...['preview-added', 'preview-added', 'preview-added'],
      ...['preview-edited', 'preview-edited', 'preview-edited', 'preview-deleted'],
    ]);
  });

  it('get different positions when they are added concurrently', async () => {
    const { id } = await addon({ authors: [owner.accountId ?? 0] });
    const picture = await png(30, 30);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => sendFile(owner, ADD_PREVIEW, { addon: id }, picture)),
    );
    const rows = await app.sql<{ id: number; position: number }>(
      'select id, position from preview where addon_id = $1 order by position',
      [id],
    );
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
    expect(rows.map((row) => row.id).sort()).toEqual(replies.map(previewOf).sort());
  });

  it('are refused with an invalid caption, above the limit, and from other accounts', async () => {
    const [id] = await ids();
    const wrong = { id, caption: [{ locale: 'xx', value: 'x' }] };
    expect(await run(owner, UPDATE_PREVIEW, wrong)).toMatchObject({
      message: "The language code 'xx' is invalid.",
      path: ['caption'],
    });
    const long = { id, caption: [{ locale: 'de', value: 'x'.repeat(501) }] };
    expect(await run(owner, UPDATE_PREVIEW, long)).toMatchObject({ path: ['caption'] });
    for (const mutation of [UPDATE_PREVIEW, DELETE_PREVIEW]) {
      expect(await run(stranger, mutation, { id })).toMatchObject({ __typename: 'NotPermittedError' });
      expect(await run(owner, mutation, { id: 999_999 })).toMatchObject({ __typename: 'NotFoundError' });
      expect(await run(owner, mutation, { id: 'x' })).toMatchObject({ __typename: 'InvalidInputError' });
    }
    expect(await sendFile(owner, ADD_PREVIEW, { addon: 'x' }, await png(5, 5))).toMatchObject({ path: ['addon'] });
    const gif = await sendFile(owner, ADD_PREVIEW, { addon: made.id }, Buffer.from('GIF89a'));
    expect(gif).toMatchObject({ message: beginningWith('Images must be either PNG or JPG.') });
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    await db.$transaction(async (tx) => {
      await tx.preview.createMany({ data: Array.from({ length: 28 }, () => ({ addonId: made.id, position: 9 })) });
      await publishAddons(tx, [made.id]);
    });
    const many = await sendFile(owner, ADD_PREVIEW, { addon: made.id }, await png(5, 5));
    expect(many).toMatchObject({ message: beginningWith('An add-on has at most 30 previews.') });
  });
});

describe('an add-on disabled by the operator', () => {
  it('refuses changes of its pictures by developers', async () => {
    const [disabled, editor] = [
      await addon({ authors: [owner.accountId ?? 0], status: 'disabled' }),
      await app.memberWith('Addons:Edit'),
    ];
    const added = await sendFile(editor, ADD_PREVIEW, { addon: disabled.id }, await png(9, 9));
    expect(added).toMatchObject({ __typename: 'AddPreviewPayload' });
    const id = previewOf(added);
    const refused = { __typename: 'NotPermittedError' };
    expect(await sendFile(owner, SET_ICON, { id: disabled.id }, await png(9, 9))).toMatchObject(refused);
    expect(await run(owner, SET_ICON, { id: disabled.id })).toMatchObject(refused);
    expect(await sendFile(owner, ADD_PREVIEW, { addon: disabled.id }, await png(9, 9))).toMatchObject(refused);
    expect(await run(owner, UPDATE_PREVIEW, { id, position: 0 })).toMatchObject(refused);
    expect(await run(owner, DELETE_PREVIEW, { id })).toMatchObject(refused);
    expect(await run(editor, DELETE_PREVIEW, { id })).toMatchObject({ __typename: 'DeletePreviewPayload' });
  });

  it('refuses a picture whose upload began before the add-on was disabled', async () => {
    const { setAddonIcon } = await import('../../src/domain/pictures/set-picture.ts');
    const { id } = await addon({ authors: [owner.accountId ?? 0] });
    const { promise: file, resolve } = Promise.withResolvers<UploadedFile>();
    const viewer = {
      kind: 'account',
      accountId: owner.accountId ?? 0,
      username: 'owner',
      rules: [],
      via: { scheme: 'bearer', tokenId: 1, signedInAt: new Date() },
    } as const;
    const setting = setAddonIcon(viewer, id, file);
    setting.catch(() => {});
    const bytes = await png(9, 9);
    const editor = await app.memberWith('Addons:Edit');
    await mutate(editor, 'setAddonDisabled', { id, by: 'OPERATOR', isDisabled: true });
    resolve({ fileName: 'icon.png', mimeType: 'image/png', open: () => Readable.from([bytes]) });
    await expect(setting).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await app.sql('SELECT icon_sha256 FROM addon WHERE id = $1', [id])).toEqual([{ icon_sha256: null }]);
  });
});

describe('setAccountPicture', () => {
  it('sets the picture that each add-on of the account shows, and removes it', async () => {
    const id = owner.accountId ?? 0;
    const result = await sendFile(owner, SET_PICTURE, { id }, await png(500, 500));
    const { pictureUrl } = (result as unknown as { account: { pictureUrl: string } }).account;
    expect(result).toMatchObject({ account: { databaseId: id, pictureType: 'image/png' } });
    expect((await shown()).authors[0]?.picture_url).toBe(pictureUrl);
    expect((await app.anonymous.get(pictureUrl)).headers['content-type']).toBe('image/png');
    const placeholder = '/static/img/anon_user.png';
    const removed = { account: { pictureUrl: placeholder, pictureType: null } };
    expect(await run(owner, SET_PICTURE, { id })).toMatchObject(removed);
    expect((await shown()).authors[0]?.picture_url).toBe(placeholder);
    expect((await app.anonymous.get(placeholder)).status).toBe(200);
    expect(await run(owner, SET_PICTURE, { id })).toMatchObject(removed);
    const rows = await app.sql('select action from activity where account_id = $1 and addon_id is null order by id', [
      id,
    ]);
    expect(rows.map(({ action }) => action).slice(-2)).toEqual(['account-picture-set', 'account-picture-removed']);
  });

  it('is allowed for the account and for holders of Users:Edit, with a row in the audit log', async () => {
    const id = owner.accountId ?? 0;
    const picture = await jpeg(20, 20);
    expect(await sendFile(stranger, SET_PICTURE, { id }, picture)).toMatchObject({ __typename: 'NotPermittedError' });
    const admin = await (await app.memberWith('Users:Edit')).withSignIn();
    expect(await sendFile(admin, SET_PICTURE, { id: 999_999 }, picture)).toMatchObject({ __typename: 'NotFoundError' });
    expect(await sendFile(admin, SET_PICTURE, { id }, picture)).toMatchObject({ account: { databaseId: id } });
    const [row] = await app.sql<{ action: string; details: unknown }>(
      'select action, details from audit_entry order by id desc limit 1',
    );
    expect(row).toEqual({ action: 'account-picture-set', details: { accountId: id } });
    const page = await sendFile(owner, SET_PICTURE, { id }, Buffer.from('<html>'));
    expect(page).toMatchObject({ message: expect.stringMatching(/^Upload a valid image\./) });
  });
});

describe('the rate limit of pictures', () => {
  it('allows an account 60 uploads per minute', async () => {
    const uploader = await app.developer();
    const { id } = await addon({ authors: [uploader.accountId ?? 0] });
    const send = () =>
      sendFile(uploader, SET_ICON, { id }, Buffer.from('GIF89a')).catch((error: Error) => error.message);
    app.config.RATE_LIMITS = true;
    try {
      const replies = await Promise.all(Array.from({ length: 61 }, send));
      const refused = replies.filter((reply) => typeof reply === 'string');
      expect(refused).toEqual([expect.stringContaining('"code":"THROTTLED"')]);
      expect(await run(uploader, SET_ICON, { id })).toMatchObject({ __typename: 'SetAddonIconPayload' });
    } finally {
      app.config.RATE_LIMITS = false;
    }
  });
});
