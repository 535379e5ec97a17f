/* The forms for authors, pictures, versions, and the end of an add-on: success and refusals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { addonColumn, hubPath } from '../../support/hub.ts';
import { xpi } from '../../support/packages.ts';
import { formFields, outcomeOf, textOf, type Visitor, visitorOf } from '../../support/pages.ts';
import { png } from '../../support/pictures.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { createUpload } from '../../support/uploads.ts';

const app = setUpApp();
let owner: Client;
let visitor: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
  stranger = await visitorOf(app, await app.developer());
});

const make = (facts: AddonFacts) => addon({ authors: [owner.accountId ?? 0], ...facts });
const idOf = ({ id }: MadeAddon) => globalId('Addon', id);
const column = (made: MadeAddon, name: string) => addonColumn(app, made, name);

describe('authors', () => {
  it('are invited, changed, ordered and removed, and the last owner stays', async () => {
    const made = await make({ slug: 'authored' });
    const other = await app.developer();
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [other.accountId]);
    const path = hubPath(made, 'authors');
    const id = idOf(made);
    const [first, second] = [globalId('Account', owner.accountId), globalId('Account', other.accountId)];
    const add = { id, account: row?.username ?? '', role: 'DEVELOPER', isListed: 'true' };
    expect(
      (await visitor.submit(path, 'hub-author-invite', { ...add, account: 'no-such-user' })).status,
    ).toBeGreaterThan(400);
    expect(outcomeOf(await visitor.submit(path, 'hub-author-invite', add))).toEqual([
      303,
      `${path}?done=hub-author-invite`,
    ]);
    const invited = await visitorOf(app, other);
    const [invitation] = await app.sql<{ id: number }>('SELECT id FROM author_invitation WHERE addon_id = $1', [
      made.id,
    ]);
    const answer = { id: globalId('AuthorInvitation', invitation?.id) };
    expect(outcomeOf(await invited.submit('/account/invitations/', 'accept-invitation', answer))).toEqual([
      303,
      '/account/invitations/?done=accept-invitation',
    ]);
    const change = { id, account: second, role: 'OWNER', 'expected.role': 'DEVELOPER', 'expected.isListed': 'true' };
    expect((await visitor.submit(path, 'hub-author-change', change)).status).toBe(303);
    expect((await visitor.submit(path, 'hub-author-order', { id, accounts: `${second} ${first}` })).status).toBe(303);
    const authors = () =>
      app.sql('SELECT account_id AS account, role, listed FROM addon_author WHERE addon_id = $1 ORDER BY position', [
        made.id,
      ]);
    expect(await authors()).toEqual([
      { account: other.accountId, role: 'owner', listed: false },
      { account: owner.accountId, role: 'owner', listed: true },
    ]);
    const confirm = await visitor.get(`${path}?remove=${other.accountId}`);
    expect(textOf(confirm)).toContain('What happens');
    const removed = await visitor.submit(`${path}?remove=${other.accountId}`, 'hub-author-remove', {
      id,
      account: second,
    });
    expect(outcomeOf(removed)).toEqual([303, '/developers/?done=hub-author-remove']);
    const last = await visitor.submit(path, 'hub-author-remove', { id, account: first });
    expect([last.status, (await authors()).length]).toEqual([422, 1]);
  });
});

describe('pictures', () => {
  it('are added, captioned, moved and deleted', async () => {
    const made = await make({ slug: 'pictured' });
    const path = hubPath(made, 'media');
    const file = { bytes: await png(200, 150), fileName: 'a.png' };
    const id = idOf(made);
    expect(outcomeOf(await visitor.upload(path, 'hub-icon', { id, file }))).toEqual([303, `${path}?done=hub-icon`]);
    for (let index = 0; index < 2; index++) {
      expect((await visitor.upload(path, 'hub-preview-add', { addon: id, file })).status).toBe(303);
    }
    const previews = () =>
      app.sql<{ id: number; caption: object }>(
        'SELECT id, caption FROM preview WHERE addon_id = $1 ORDER BY position',
        [made.id],
      );
    const [one, two] = await previews();
    const [first, second] = [globalId('Preview', one?.id), globalId('Preview', two?.id)];
    const caption = await visitor.submit(`${path}?edit=${one?.id}`, 'hub-preview-caption', {
      id: first,
      'caption.en-US': 'The window',
    });
    expect(outcomeOf(caption)).toEqual([303, `${path}?done=hub-preview-caption`]);
    expect(
      (await visitor.submit(path, 'hub-preview-move', { id: second, position: '0', 'expected.position': '1' })).status,
    ).toBe(303);
    expect((await previews()).map((each) => each.id)).toEqual([two?.id, one?.id]);
    expect((await visitor.get(`${path}?delete=${two?.id}`)).text).toContain('id="hub-preview-delete"');
    expect((await visitor.submit(`${path}?delete=${two?.id}`, 'hub-preview-delete', { id: second })).status).toBe(303);
    expect(await previews()).toEqual([{ id: one?.id, caption: { 'en-US': 'The window' } }]);
    expect((await visitor.submit(path, 'hub-icon-remove', { id })).status).toBe(303);
    const broken = { id, file: { bytes: Buffer.from('no picture'), fileName: 'a.png' } };
    expect((await visitor.upload(path, 'hub-icon', broken)).status).toBe(422);
  });

  it('make a theme, whose contrast is shown', async () => {
    const [category] = await app.sql<{ id: number }>(
      "INSERT INTO category (app, type, slug, name) VALUES ('desktop_browser', 'persona', 'plain', '{\"en-US\": \"Plain\"}') RETURNING id",
    );
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    const fields = {
      ...{
        name: 'Sky',
        summary: 'Blue',
        category: globalId('Category', category?.id),
        license: globalId('License', license?.id),
      },
      ...{ accentColor: '#000000', textColor: '#ffffff' },
    };
    const refused = await visitor.upload('/developers/themes/new/', 'hub-theme', fields);
    expect([refused.status, textOf(refused).includes('Contrast of both colours: 21.')]).toEqual([422, true]);
    const file = { bytes: await png(3000, 200), fileName: 'a.png' };
    const done = await visitor.upload('/developers/themes/new/', 'hub-theme', { ...fields, file });
    expect(outcomeOf(done)).toEqual([303, expect.stringMatching(/\?done=hub-theme$/)]);
    const path = String(done.headers.location).replace('?done=hub-theme', 'media');
    expect(textOf(await visitor.get(path))).toContain('Contrast of both colours: 21.');
    const [made] = await app.sql<{ id: number }>("SELECT id FROM addon WHERE name->>'en-US' = 'Sky'");
    const id = globalId('Addon', made?.id);
    const colours = async (changes: Record<string, string>) => {
      const shown = await formFields(visitor, path, 'hub-persona-colours');
      return (await visitor.submit(path, 'hub-persona-colours', { ...shown, ...changes })).status;
    };
    expect(await colours({ accentColor: '#777', textColor: '#888' })).toBe(303);
    expect(textOf(await visitor.get(path))).toContain('Text is hard to read');
    expect(await colours({ accentColor: 'red', textColor: '' })).toBe(422);
    const footer = { id, file: { bytes: await png(3000, 100), fileName: 'b.png' } };
    expect(outcomeOf(await visitor.upload(path, 'hub-persona-footer', footer))).toEqual([
      303,
      `${path}?done=hub-persona-footer`,
    ]);
    expect((await visitor.get(path)).text).toContain('value="hub-persona-footer-remove"');
    expect((await visitor.upload(path, 'hub-persona-header', footer)).status).toBe(422);
    const header = { id, file: { bytes: await png(3000, 200, '#00ff00'), fileName: 'c.png' } };
    expect((await visitor.upload(path, 'hub-persona-header', header)).status).toBe(303);
    expect((await visitor.submit(path, 'hub-persona-footer-remove', { id })).status).toBe(303);
    const [persona] = await app.sql('SELECT footer_sha256 FROM persona WHERE addon_id = $1', [made?.id]);
    expect(persona).toEqual({ footer_sha256: null });
  });
});

describe('versions', () => {
  it('are edited and deleted', async () => {
    const made = await make({ slug: 'versioned', versions: [{ version: '1.0' }, { version: '2.0' }] });
    const version = made.versions[1]?.id;
    const path = hubPath(made, `versions/${version}`);
    const id = globalId('Version', version);
    const fields = {
      ...(await formFields(visitor, path, 'hub-version-edit')),
      'releaseNotes.en-US': 'Faster',
      'compatibility.DESKTOP_BROWSER': '60.0 - *',
      approvalNotes: 'Try it.',
    };
    expect(outcomeOf(await visitor.submit(path, 'hub-version-edit', fields))).toEqual([
      303,
      `${path}?done=hub-version-edit`,
    ]);
    const { text } = await visitor.get(path);
    expect([text.includes('Faster'), text.includes('value="60.0 - *"'), text.includes('Try it.')]).toEqual([
      true,
      true,
      true,
    ]);
    const shown = await formFields(visitor, path, 'hub-version-edit');
    for (const range of ['sixty', '57.0 - 60.0 - 70.0', '- 60.0']) {
      const wrong = { ...shown, 'compatibility.DESKTOP_BROWSER': range };
      const refused = await visitor.submit(path, 'hub-version-edit', wrong);
      expect([range, refused.status, refused.text.includes(`value="${range}"`)]).toEqual([range, 422, true]);
    }
    const deleted = await visitor.submit(`${path}?delete=1`, 'hub-version-delete', { id });
    expect(outcomeOf(deleted)).toEqual([303, '/developers/addon/versioned/versions?done=hub-version-delete']);
    expect((await visitor.get(path)).status).toBe(404);
  });

  it('get source code', async () => {
    const waiting = { version: '1.0', stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
    const made = await make({ slug: 'sourced', status: 'nominated', versions: [waiting] });
    const path = hubPath(made, `versions/${made.versions[0]?.id}`);
    const version = globalId('Version', made.versions[0]?.id);
    const send = (bytes: Buffer) =>
      visitor.upload(path, 'hub-version-source', { version, file: { bytes, fileName: 'source.zip' } });
    const refused = await send(Buffer.from('no archive'));
    expect([refused.status, refused.text.includes('id="hub-version-source-file-error"')]).toEqual([422, true]);
    const archive = rawZip([{ name: 'src/main.js', content: 'tick();', deflated: true }]);
    expect(outcomeOf(await send(archive))).toEqual([303, `${path}?done=hub-version-source`]);
    expect(textOf(await visitor.get(path))).toContain('source.zip');
  });

  it('follow each other, sent on the page of the add-on or made of a checked package', async () => {
    const made = await make({ slug: 'followed', versions: [{ version: '1.0' }] });
    const file = { bytes: await xpi({ guid: made.guid, version: '2.0' }), fileName: 'a.xpi' };
    const path = hubPath(made, 'versions/new');
    const sent = await visitor.upload(path, 'hub-version', { addon: idOf(made), channel: 'UNLISTED', file });
    expect(outcomeOf(sent)).toEqual([303, expect.stringMatching(/^\/validation\/[0-9a-f]{32}\/$/)]);
    await app.runJobs();
    const own = String(sent.headers.location).replace('validation', 'developers/submit');
    const plain = { ...(await formFields(visitor, own, 'hub-submit-version')), warningsSeen: 'true' };
    expect(outcomeOf(await visitor.submit(own, 'hub-submit-version', plain))[0]).toBe(303);
    const { pk } = await createUpload(owner, { guid: made.guid, version: '3.0' }, 'UNLISTED');
    await app.runJobs();
    const checked = `/developers/submit/${pk}/`;
    const opened = await formFields(visitor, checked, 'hub-submit-version');
    const fields = { ...opened, approvalNotes: 'Look here.', warningsSeen: 'true' };
    const done = await visitor.submit(checked, 'hub-submit-version', fields);
    expect(outcomeOf(done)).toEqual([303, '/developers/addon/followed/?done=hub-submitted']);
    const versions = await app.sql(
      'SELECT version, channel, approval_notes AS notes FROM version WHERE addon_id = $1 ORDER BY version',
      [made.id],
    );
    expect(versions).toEqual([
      { version: '1.0', channel: 'listed', notes: '' },
      { version: '2.0', channel: 'unlisted', notes: '' },
      { version: '3.0', channel: 'unlisted', notes: 'Look here.' },
    ]);
  });

  it('have a thread in which authors reply', async () => {
    const made = await make({ slug: 'replied', versions: [{ version: '1.0' }] });
    const path = hubPath(made, 'activity');
    const id = globalId('Version', made.versions[0]?.id);
    expect(outcomeOf(await visitor.submit(path, 'hub-reply', { id, comments: 'Because.' }))).toEqual([
      303,
      `${path}?done=hub-reply`,
    ]);
    expect(textOf(await visitor.get(path))).toContain('Because.');
    expect((await visitor.submit(path, 'hub-reply', { id, comments: '' })).status).toBe(422);
    expect((await stranger.submit(path, 'hub-reply', { id, comments: 'x' })).status).toBe(403);
  });
});

describe('the danger page', () => {
  it('disables, enables and deletes, with the name typed', async () => {
    const made = await make({ slug: 'ends' });
    const path = hubPath(made, 'danger');
    const id = idOf(made);
    expect(outcomeOf(await visitor.submit(path, 'hub-disable', { id, disabled: 'yes' }))).toEqual([
      303,
      `${path}?done=hub-disable`,
    ]);
    expect(textOf(await visitor.get(path))).toContain('Enable add-on');
    expect((await visitor.submit(path, 'hub-disable', { id, disabled: 'no' })).status).toBe(303);
    expect(await column(made, 'is_disabled_by_developer')).toBe(false);
    const wrong = await visitor.submit(path, 'hub-delete', { id, expected: 'ends', slug: 'end' });
    expect([wrong.status, wrong.text.includes('value="end"')]).toEqual([422, true]);
    expect(outcomeOf(await visitor.submit(path, 'hub-delete', { id, expected: 'ends', slug: 'ends' }))).toEqual([
      303,
      '/developers/?done=hub-delete',
    ]);
    expect(await column(made, 'status')).toBe('deleted');
    expect((await visitor.get(path)).status).toBe(404);
  });
});
