import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountPath, accountRequests } from '../support/account-requests.ts';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { encodeForm } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { jpeg, png, refusedPictures } from '../support/pictures.ts';

const app = setUpApp();
let owner: Client;
let stranger: Client;
let administrator: Client;

beforeAll(async () => {
  [stranger, administrator] = [await app.developer(), await app.memberWith('Users:Edit')];
});
beforeEach(async () => {
  owner = await app.developer();
});

const { patch, patchForm, read } = accountRequests(() => owner);
const fieldsOf = (reply: Reply) => reply.json as Record<string, string[]>;

describe('the picture of an account', () => {
  it('is stored as a PNG of at most 200 by 200 pixels and shown without sign-in', async () => {
    const reply = await patchForm(owner, { location: 'X', picture_upload: await jpeg(640, 320) });
    const { picture_url: url, picture_type: type } = reply.json as { picture_url: string; picture_type: string };
    expect([reply.status, type]).toEqual([200, 'image/png']);
    const picture = await app.anonymous.get(url.replace(app.config.BASE_URL, ''));
    expect([picture.status, picture.headers['content-type'], picture.headers['x-content-type-options']]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)]).toEqual([200, 100]);
    const next = await patchForm(owner, { picture_upload: await png(30, 30, '#ff0000') });
    expect((next.json as { picture_url: string }).picture_url).not.toBe(url);
    expect((await app.anonymous.get(url.replace(app.config.BASE_URL, ''))).status).toBe(404);
  });

  it.each(['picture', 'picture/'])('is removed by DELETE …/%s, any number of times', async (ending) => {
    const { json } = await patchForm(owner, { picture_upload: await png(20, 20) });
    const address = (json as { picture_url: string }).picture_url.replace(app.config.BASE_URL, '');
    for (let round = 0; round < 2; round++) {
      const reply = await owner.request('DELETE', accountPath(owner) + ending);
      expect([reply.status, reply.json]).toMatchObject([
        200,
        { picture_url: null, picture_type: null, deleted: false },
      ]);
      expect((await app.anonymous.get(address)).status).toBe(404);
    }
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      const reply = await owner.request(method, accountPath(owner) + ending);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'DELETE, OPTIONS']);
    }
    expect((await app.anonymous.request('DELETE', accountPath(owner) + ending)).status).toBe(401);
    expect((await stranger.request('DELETE', accountPath(owner) + ending)).status).toBe(403);
    expect((await stranger.request('DELETE', `/api/v4/accounts/account/unknown/${ending}`)).status).toBe(403);
    expect((await administrator.request('DELETE', `/api/v4/accounts/account/unknown/${ending}`)).status).toBe(404);
    expect((await administrator.request('DELETE', accountPath(owner) + ending)).status).toBe(200);
  });

  it('is refused with the documented text', async () => {
    const FORMAT = 'Images must be either PNG or JPG.';
    const BROKEN = 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.';
    for (const [what, bytes, ending] of await refusedPictures()) {
      const reply = await patchForm(owner, { location: 'X', picture_upload: bytes });
      const [message = ''] = fieldsOf(reply).picture_upload ?? [];
      expect([what, reply.status, Object.keys(fieldsOf(reply))]).toEqual([what, 400, ['picture_upload']]);
      // Bytes that are no picture at all are broken, not of another format.
      const isOther = FORMAT.endsWith(ending) && message.startsWith(BROKEN) && !/GIF|SVG|WebP/.test(what);
      expect([what, isOther || message.includes(ending)]).toEqual([what, true]);
    }
    expect(await read()).toMatchObject({ picture_url: null, location: null });
  });

  it('is refused above four megabytes', async () => {
    const reply = await patchForm(owner, { picture_upload: Buffer.alloc(6 * 1024 * 1024) });
    const refusal = { picture_upload: [beginningWith('Please use images smaller than 3MB.')] };
    expect([reply.status, reply.json]).toEqual([400, refusal]);
    const headers = { ...owner.authorization(), 'Content-Type': 'multipart/form-data; boundary=x' };
    const oneByteOver = encodeForm({ picture_upload: Buffer.alloc(4 * 1024 * 1024 + 1) }, 'x');
    const body = new Blob([new Uint8Array(oneByteOver)]);
    const chunked = await fetch(app.url + accountPath(owner), { method: 'PATCH', body, headers });
    expect([chunked.status, await chunked.json()]).toEqual([400, refusal]);
  });

  it('is ignored when it is no file', async () => {
    for (const reply of [
      await patch(owner, { picture_upload: 'x' }),
      await patchForm(owner, { picture_upload: 'x' }),
    ]) {
      expect([reply.status, reply.json]).toMatchObject([200, { picture_url: null }]);
    }
  });
});
