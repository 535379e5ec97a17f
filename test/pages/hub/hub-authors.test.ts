/* Authors who leave, and several people who change authors, previews and source code at once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { join } from '../../support/invite.ts';
import { formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';
import { rawZip } from '../../support/raw-zip.ts';

const app = setUpApp();
let owner: Client;
let other: Client;
let visitor: Visitor;
let developer: Visitor;

beforeAll(async () => {
  [owner, other] = [await app.developer(), await app.developer()];
  [visitor, developer] = [await visitorOf(app, owner), await visitorOf(app, other)];
});

/** An add-on of the owner and another author. */
async function makeShared(facts: AddonFacts = {}): Promise<MadeAddon> {
  const made = await addon({ authors: [owner.accountId ?? 0], ...facts });
  await join(owner, other, made.id);
  return made;
}

const idOf = ({ id }: MadeAddon) => globalId('Addon', id);
const accountOf = ({ accountId }: Client) => globalId('Account', accountId);
const authorsPath = ({ slug }: MadeAddon) => `/developers/addon/${slug}/authors`;
const authorsOf = ({ id }: MadeAddon) =>
  app.sql('SELECT account_id, role, listed FROM addon_author WHERE addon_id = $1 ORDER BY position', [id]);
const row = (client: Client, role: string, listed = true) => ({ account_id: client.accountId, role, listed });

describe('an author who is not an owner', () => {
  it('sees the authors without forms, and leaves', async () => {
    const made = await makeShared({ slug: 'left' });
    const path = authorsPath(made);
    const page = await developer.get(path);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/hub-author-(?:invite|change|order)/);
    expect([...page.text.matchAll(/remove=(\d+)/g)].map(([, id]) => Number(id))).toEqual([other.accountId]);
    const confirm = await developer.get(`${path}?remove=${other.accountId}`);
    expect(textOf(confirm)).toContain('To return, you need a new invitation from an owner.');
    const fields = await formFields(developer, confirm, 'hub-author-remove');
    const reply = await developer.submit(`${path}?remove=${other.accountId}`, 'hub-author-remove', fields);
    expect([reply.status, reply.headers.location]).toEqual([303, '/developers/?done=hub-author-leave']);
    expect(textOf(await developer.get('/developers/?done=hub-author-leave'))).toContain('You have left the add-on.');
    expect(await authorsOf(made)).toEqual([row(owner, 'owner')]);
    expect((await developer.get(path)).status).toBe(403);
  });

  it('is not offered to be removed as the only owner or the only one on the page', async () => {
    const made = await makeShared({ slug: 'owned' });
    const page = await visitor.get(authorsPath(made));
    expect([...page.text.matchAll(/remove=(\d+)/g)].map(([, id]) => Number(id))).toEqual([other.accountId]);
    expect(textOf(page)).toContain('The only owner cannot be removed.');
    const form = { id: idOf(made), role: 'OWNER', 'expected.isListed': 'true' };
    const changes = [
      { ...form, account: accountOf(other), isListed: 'true', 'expected.role': 'DEVELOPER' },
      { ...form, account: accountOf(owner), 'expected.role': 'OWNER' },
    ];
    for (const change of changes) {
      expect((await visitor.submit(authorsPath(made), 'hub-author-change', change)).status).toBe(303);
    }
    const unlisted = await visitor.get(authorsPath(made));
    expect([...unlisted.text.matchAll(/remove=(\d+)/g)].map(([, id]) => Number(id))).toEqual([owner.accountId]);
    expect(textOf(unlisted)).toContain('The only author shown on the add-on’s page cannot be removed.');
  });

  it('neither changes nor removes others, and cannot leave if no listed author would remain', async () => {
    const made = await addon({
      slug: 'kept',
      authors: [
        { id: owner.accountId ?? 0, listed: false },
        { id: other.accountId ?? 0, role: 'developer' },
      ],
    });
    const path = authorsPath(made);
    const id = idOf(made);
    expect((await developer.get(`${path}?remove=${owner.accountId}`)).text).not.toContain('hub-author-remove');
    const forms: Record<string, Record<string, string>> = {
      'hub-author-remove': { account: accountOf(owner) },
      'hub-author-change': { account: accountOf(other), role: 'OWNER', 'expected.role': 'DEVELOPER' },
      'hub-author-order': { accounts: [accountOf(other), accountOf(owner)].join(' ') },
      'hub-author-invite': { account: 'anybody', role: 'OWNER' },
    };
    for (const [form, fields] of Object.entries(forms)) {
      expect([form, (await developer.submit(path, form, { id, ...fields })).status]).toEqual([form, 403]);
    }
    const address = `${path}?remove=${other.accountId}`;
    const fields = await formFields(developer, address, 'hub-author-remove');
    const refused = await developer.submit(address, 'hub-author-remove', fields);
    expect([refused.status, textOf(refused).includes('At least one author must be listed.')]).toEqual([422, true]);
    expect(await authorsOf(made)).toHaveLength(2);
  });
});

describe('a form that is older than a change of others', () => {
  it('changes the role of an author, and keeps the visibility that others have changed', async () => {
    const made = await makeShared({ slug: 'contested' });
    const path = authorsPath(made);
    const opened = await formFields(visitor, path, `hub-author-change-${other.accountId}`);
    expect(opened).toMatchObject({ role: 'DEVELOPER', 'expected.role': 'DEVELOPER', isListed: 'true' });
    const { isListed: _, ...unlisted } = opened;
    expect((await visitor.submit(path, 'hub-author-change', unlisted)).status).toBe(303);
    expect((await visitor.submit(path, 'hub-author-change', { ...opened, role: 'OWNER' })).status).toBe(303);
    expect(await authorsOf(made)).toEqual([row(owner, 'owner'), row(other, 'owner', false)]);
    const wrong = await visitor.submit(path, 'hub-author-change', { ...opened, role: 'KING' });
    expect(wrong.status).toBe(422);
  });

  it('does not change an order of authors that others have changed', async () => {
    const third = await app.developer();
    const authors = [owner, other, third].map(({ accountId }) => accountId ?? 0);
    const made = await addon({ slug: 'ordered', authors });
    const path = authorsPath(made);
    const [a, b, c] = [owner, other, third].map(accountOf);
    expect((await visitor.get(path)).text).toContain(`name="expected.accounts" value="${a} ${b} ${c}"`);
    const move = (order: unknown[]) => ({
      ...{ id: idOf(made), accounts: order.join(' '), 'expected.accounts': `${a} ${b} ${c}` },
    });
    expect((await visitor.submit(path, 'hub-author-order', move([b, a, c]))).status).toBe(303);
    // The same button in another tab changes nothing more.
    expect((await visitor.submit(path, 'hub-author-order', move([b, a, c]))).status).toBe(303);
    const late = await visitor.submit(path, 'hub-author-order', move([a, c, b]));
    expect([late.status, textOf(late).includes('This value was changed since you read it.')]).toEqual([409, true]);
    expect(late.text).toContain(`name="expected.accounts" value="${b} ${a} ${c}"`);
    const rows = await app.sql('SELECT account_id FROM addon_author WHERE addon_id = $1 ORDER BY position', [made.id]);
    expect(rows.map(({ account_id: id }) => id)).toEqual([other, owner, third].map(({ accountId }) => accountId));
  });

  it('does not move a preview that others have moved', async () => {
    const caption = { 'en-US': 'The window' };
    const previews = [0, 1, 2].map((position) => ({ position, caption }) as never);
    const made = await addon({ slug: 'moved', authors: [owner.accountId ?? 0], previews });
    const path = `/developers/addon/${made.slug}/media`;
    const order = async () =>
      (await app.sql<{ id: number }>('SELECT id FROM preview WHERE addon_id = $1 ORDER BY position', [made.id])).map(
        ({ id }) => id,
      );
    const [a = 0, b = 0, c = 0] = await order();
    const move = (id: number, position: number, expected: number) => ({
      ...{ id: globalId('Preview', id), position: String(position), 'expected.position': String(expected) },
    });
    expect((await visitor.get(path)).text).toContain('name="expected.position" value="2"');
    expect((await visitor.submit(path, 'hub-preview-move', move(c, 0, 2))).status).toBe(303);
    expect((await visitor.submit(path, 'hub-preview-move', move(c, 0, 2))).status).toBe(303);
    const late = await visitor.submit(path, 'hub-preview-move', move(c, 1, 2));
    expect([late.status, textOf(late).includes('This value was changed since you read it.')]).toEqual([409, true]);
    expect(await order()).toEqual([c, a, b]);
  });

  it('does not replace source code that others have attached', async () => {
    const made = await addon({ slug: 'sourced', authors: [owner.accountId ?? 0] });
    const path = `/developers/addon/${made.slug}/versions/${made.versions[0]?.id}`;
    const file = (content: string) => ({
      bytes: rawZip([{ name: 'src/main.js', content, deflated: true }]),
      fileName: `${content}.zip`,
    });
    const opened = await formFields(visitor, path, 'hub-version-source');
    expect(opened).toMatchObject({ 'expected.file': '' });
    const send = (fields: Record<string, string>, content: string) =>
      visitor.upload(path, 'hub-version-source', { ...fields, file: file(content) });
    expect((await send(opened, 'theirs')).status).toBe(303);
    const late = await send(opened, 'mine');
    expect([late.status, textOf(late).includes('theirs.zip')]).toEqual([409, true]);
    expect(late.text).toContain('id="hub-version-source-file-error"');
    const shown = await formFields(visitor, late, 'hub-version-source');
    expect((await send(shown, 'mine')).status).toBe(303);
    expect(textOf(await visitor.get(path))).toContain('mine.zip');
  });
});
