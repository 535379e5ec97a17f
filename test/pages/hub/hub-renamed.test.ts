/* Forms on pages of an add-on whose slug another editor has changed since. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { hubPath } from '../../support/hub.ts';
import { documentOf, formFields, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let owner: Client;
let visitor: Visitor;

beforeAll(async () => {
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
});

const make = (facts: AddonFacts) => addon({ authors: [owner.accountId ?? 0], ...facts });
const en = (value: string) => ({ 'en-US': value });

/** Changes the slug as another editor does. */
async function rename({ id }: MadeAddon, slug: string): Promise<void> {
  const text = 'mutation($input: UpdateAddonInput!) { updateAddon(input: $input) { __typename } }';
  const data = await owner.graphql<object>(text, { input: { id: globalId('Addon', id), slug } });
  expect(data).toEqual({ updateAddon: { __typename: 'UpdateAddonPayload' } });
}

describe('a form of an add-on whose slug has changed', () => {
  /** Addresses of the forms on a page, without those that are on every page. */
  const actionsOf = (page: { text: string }) => {
    const $ = documentOf(page);
    const actions = $('form[method=post]')
      .toArray()
      .map((form) => ($(form).attr('action') ?? '').replace(/#result$/, ''));
    return actions.filter((action) => action !== '/preferences/' && action !== '/logout/');
  };

  it('is sent to the address by id, from every page of the add-on', async () => {
    const made = await make({ slug: 'renamed', summary: en('Short'), previews: [{ caption: {} } as never] });
    const preview = (await app.sql('SELECT id FROM preview WHERE addon_id = $1', [made.id]))[0]?.id;
    const rests = ['edit', 'media', `media?edit=${preview}`, `media?delete=${preview}`, 'license', 'authors', 'danger'];
    for (const rest of [...rests, 'activity', 'versions/new', `versions/${made.versions[0]?.id}`]) {
      const shown = await visitor.get(hubPath(made, rest));
      expect([rest, shown.status]).toEqual([rest, 200]);
      const actions = actionsOf(shown);
      if (rest !== 'activity') expect(actions, rest).not.toEqual([]);
      for (const action of actions) expect(action).toBe(`/developers/addon/${made.id}/${rest}`);
    }
  });

  it('is sent to the address by id for a theme, too', async () => {
    const made = await make({ slug: 'renamed-theme', type: 'persona', versions: [], persona: {} });
    const actions = actionsOf(await visitor.get(hubPath(made, 'media')));
    expect(actions.length).toBeGreaterThanOrEqual(3);
    expect(new Set(actions)).toEqual(new Set([`/developers/addon/${made.id}/media`]));
  });

  it('is saved and shown, and refused with what was typed', async () => {
    const made = await make({ slug: 'renamed-2', summary: en('Short') });
    const shown = await visitor.get(hubPath(made, 'license'));
    const [action = ''] = actionsOf(shown);
    const fields = await formFields(visitor, shown, 'hub-policies');
    await rename(made, 'renamed-3');

    const saved = await visitor.submit(action, 'hub-policies', { ...fields, 'eula.en-US': 'Terms' });
    expect(saved.status).toBe(303);
    const after = await visitor.get(String(saved.headers.location));
    expect(after.status).toBe(200);
    expect(after.text).toContain('Terms');

    const late = await visitor.submit(action, 'hub-policies', { ...fields, 'eula.en-US': 'Other terms' });
    expect(late.status).toBe(409);
    expect(late.text).toContain('Other terms');
  });
});
