/* A test of the repository with the field of support-phone.patch. It is run there: see test/programs/add-field.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { exportedLines, importLines } from '../catalogue/lines.ts';
import type { Client } from '../client.ts';
import { addon, type MadeAddon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { formFields, textOf, type Visitor, visitorOf } from '../pages.ts';
import { patchJson, patchRefusal } from '../submission.ts';

let app: TestApp;
let owner: Client;
let visitor: Visitor;
let made: MadeAddon;

beforeAll(async () => {
  app = await startApp();
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
  made = await addon({ authors: [owner.accountId ?? 0], summary: { 'en-US': 'Shows the time.' } });
});
afterAll(() => app.close());

const UPDATE = `mutation ($input: UpdateAddonInput!) { updateAddon(input: $input) {
  ... on UpdateAddonPayload { addon { supportPhone } } ... on InvalidInputError { fields { name isChanged } } } }`;

const update = async (input: object) => {
  const changes = { id: globalId('Addon', made.id), ...input };
  return (await owner.graphql<{ updateAddon: unknown }>(UPDATE, { input: changes })).updateAddon;
};
const phoneInV5 = async () => {
  const { json } = await app.anonymous.get(`/api/v5/addons/addon/${made.id}/`);
  return (json as { support_phone: unknown }).support_phone;
};
const lineOfAddon = async () => (await exportedLines()).find(({ kind }) => kind === 'addon') ?? {};

describe('an added field', () => {
  it('is changed, compared and returned by GraphQL', async () => {
    expect(await update({ supportPhone: ' +1 555 0100 ' })).toEqual({ addon: { supportPhone: '+1 555 0100' } });
    expect(await update({ supportPhone: '1', expected: { supportPhone: '2' } })).toEqual({
      fields: [{ name: 'supportPhone', isChanged: true }],
    });
    expect(await update({ supportPhone: 'x'.repeat(51) })).toEqual({
      fields: [{ name: 'supportPhone', isChanged: false }],
    });
  });

  it('is changed, refused and shown by API v5, and unknown to v4', async () => {
    const { status, json } = await patchJson(owner, `${made.id}/`, { support_phone: '+1 555 0101' });
    expect([status, json]).toMatchObject([200, { support_phone: '+1 555 0101' }]);
    expect(await phoneInV5()).toBe('+1 555 0101');
    expect(await patchRefusal(owner, `${made.id}/`, { support_phone: 1 })).toEqual({
      support_phone: ['Not a valid string.'],
    });
    const { json: inV4 } = await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`);
    expect(inV4).not.toHaveProperty('support_phone');
  });

  it('is in the form of the developer hub, with a label and the value that its editor saw', async () => {
    const path = `/developers/addon/${made.slug}/edit/`;
    expect(textOf(await visitor.get(path))).toContain('Telephone for support');
    const fields = await formFields(visitor, path, 'hub-edit');
    expect(fields).toMatchObject({ supportPhone: '+1 555 0101', 'expected.supportPhone': '+1 555 0101' });
    const { status } = await visitor.submit(path, 'hub-edit', { ...fields, supportPhone: '+1 555 0102' });
    expect([status, await phoneInV5()]).toEqual([303, '+1 555 0102']);
    const late = await visitor.submit(path, 'hub-edit', { ...fields, supportPhone: '+1 555 0103' });
    expect([late.status, await phoneInV5()]).toEqual([409, '+1 555 0102']);
  });

  it('is exported and imported', async () => {
    const line = await lineOfAddon();
    expect(line.support_phone).toBe('+1 555 0102');
    const { skipped } = await importLines([{ ...line, support_phone: '+1 555 0104' }]);
    expect([skipped, await phoneInV5()]).toEqual([[], '+1 555 0104']);
    await importLines([{ ...line, support_phone: null }]);
    expect([await phoneInV5(), (await lineOfAddon()).support_phone]).toEqual([null, null]);
  });
});
