/* PATCH of versions under API v5 (submission API). */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import type { AddonFacts, MadeAddon } from '../support/factories.ts';
import { ownedAddon, patchForm, patchJson, patchRefusal, versionPath } from '../support/submission.ts';

const app = setUpApp();
let owner: Client;
let developer: Client;

type Json = Record<string, unknown>;

beforeAll(async () => {
  [owner, developer] = [await app.developer(), await app.developer()];
});

const make = (facts: AddonFacts = {}): Promise<MadeAddon> => ownedAddon(owner, developer, facts);
const patch = (path: string, body: unknown, client = owner): Promise<Reply> => patchJson(client, path, body);
const refusal = (path: string, body: unknown) => patchRefusal(owner, path, body);

describe('PATCH of a version', () => {
  it('changes every key, and returns the version as a GET does', async () => {
    const made = await make();
    const reply = await patch(versionPath(made), {
      approval_notes: 'Try the alarm.',
      compatibility: { firefox: { min: '60.0' }, android: { min: '61.0', max: '62.*' } },
      license: 'mpl-2.0',
      release_notes: { 'en-US': '<b>New</b><script>x</script>' },
      upload: 'ignored',
    });
    expect([reply.status, reply.json]).toMatchObject([
      200,
      {
        approval_notes: 'Try the alarm.',
        compatibility: { desktop_browser: { min: '60.0', max: '*' }, mobile_browser: { min: '61.0', max: '62.*' } },
        license: { slug: 'MPL-2.0', is_custom: false },
        release_notes: { 'en-US': '<b>New</b>' },
        is_disabled: false,
      },
    ]);
    expect((await owner.get(`/api/v5/addons/addon/${made.id}/versions/1.0`)).json).toEqual(reply.json);
  });

  it('takes forms, in which an empty text as source means none', async () => {
    const made = await make();
    const reply = await patchForm(owner, versionPath(made), {
      source: '',
      license: 'MIT',
      approval_notes: 'In a form.',
      name: 'x',
    });
    expect([reply.status, reply.json]).toMatchObject([200, { approval_notes: 'In a form.', license: { slug: 'MIT' } }]);
    const broken = await owner.request('PATCH', `/api/v5/addons/addon/${versionPath(made)}`, {
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: 'nonsense',
    });
    expect([broken.status, Object.keys(broken.json as Json)]).toEqual([400, ['non_field_errors']]);
  });

  it('completes ranges from those of the version, and from defaults', async () => {
    const made = await make({ versions: [{ compatibility: { desktop_browser: ['58.0', '60.*'] } }] });
    const compatibility = async (value: unknown) =>
      ((await patch(versionPath(made), { compatibility: value })).json as Json).compatibility;
    expect(await compatibility(['firefox', 'android'])).toEqual({
      desktop_browser: { min: '58.0', max: '60.*' },
      mobile_browser: { min: '58.0', max: '60.*' },
    });
    expect(await compatibility({ desktop_browser: { max: '*' }, thunderbird: {} })).toEqual({
      desktop_browser: { min: '58.0', max: '*' },
      mail_client: { min: expect.stringMatching(/^\d/), max: '*' },
    });
  });

  it('takes a custom licence', async () => {
    const made = await make();
    const custom = { name: { 'en-US': 'Ours' }, text: { 'en-US': 'Do <b>good</b>.' } };
    expect((await patch(versionPath(made), { custom_license: custom })).json).toMatchObject({
      license: { is_custom: true, slug: null, name: { 'en-US': 'Ours' }, text: { 'en-US': 'Do <b>good</b>.' } },
    });
  });

  const LOCKED = 'Can not override compatibility information set in the manifest for this application (mobile_browser)';
  it.each([
    [{ compatibility: 7 }, { compatibility: ['Invalid value'] }],
    [{ compatibility: { firefox: { min: '61.0', max: '60.0' } } }, { compatibility: ['Invalid value'] }],
    [{ compatibility: { netscape: {} } }, { compatibility: ['Invalid app specified'] }],
    [{ compatibility: { firefox: { min: '999.0' } } }, { compatibility: ['Unknown min app version specified'] }],
    [{ compatibility: { firefox: { min: 'a\0b' } } }, { compatibility: ['Unknown min app version specified'] }],
    [{ compatibility: { firefox: { max: '999.0' } } }, { compatibility: ['Unknown max app version specified'] }],
    [{ compatibility: {} }, { compatibility: ['Need at least one compatible application.'] }],
    [{ license: 'no\0such' }, { license: ['License with slug=no\0such does not exist.'] }],
    [{ license: 'own' }, { license: ['License with slug=own does not exist.'] }],
    [{ license: null }, { license: ['This field may not be null.'] }],
    [{ custom_license: { name: {} } }, { custom_license: ['License text is required when choosing Other.'] }],
    [{ custom_license: [] }, { custom_license: ['Invalid value'] }],
    [{ license: 'MIT', custom_license: {} }, { license: ['Send license or custom_license, not both.'] }],
    [{ release_notes: 'New' }, { release_notes: ['You must provide an object of {lang-code:value}.'] }],
    [{ release_notes: { zz: 'x' } }, { release_notes: ["The language code 'zz' is invalid."] }],
    [
      { approval_notes: 'x'.repeat(3001) },
      { approval_notes: ['Ensure this value has at most 3000 characters (it has 3001).'] },
    ],
    [{ is_disabled: 'yes' }, { is_disabled: ['Must be a valid boolean.'] }],
    [
      { license: 'own', release_notes: { zz: 'x' }, compatibility: [], is_disabled: 0 },
      {
        is_disabled: ['Must be a valid boolean.'],
        release_notes: ["The language code 'zz' is invalid."],
        compatibility: ['Need at least one compatible application.'],
        license: ['License with slug=own does not exist.'],
      },
    ],
  ])('is refused: %j', async (body, expected) => {
    expect(await refusal(versionPath(await make()), body)).toEqual(expected);
  });

  it('does not override the manifest, nor change the compatibility of dictionaries', async () => {
    const made = await make({
      versions: [{ compatibility: { desktop_browser: ['58.0', '*'], mobile_browser: ['60.0', '*'] } }],
    });
    const manifest = { isStrict: false, ranges: { mobile_browser: { min: '60.0', max: '*', isLocked: true } } };
    await app.sql('update version set manifest_compatibility = $2 where id = $1', [made.versions[0]?.id, manifest]);
    const path = versionPath(made);
    for (const compatibility of [['firefox'], { firefox: {}, android: { min: '61.0' } }]) {
      expect(await refusal(path, { compatibility })).toEqual({ compatibility: [LOCKED] });
    }
    expect((await patch(path, { compatibility: { android: {}, firefox: { min: '59.0' } } })).status).toBe(200);
    expect(await refusal(path, { compatibility: ['firefox'] })).toEqual({ compatibility: [LOCKED] });
    expect(await refusal(versionPath(await make({ type: 'dictionary' })), { compatibility: ['firefox'] })).toEqual({
      compatibility: ['This type of add-on does not allow custom compatibility.'],
    });
  });

  it('changes the licence for owners only', async () => {
    const made = await make();
    expect((await patch(versionPath(made), { license: 'MIT' }, developer)).status).toBe(403);
    expect((await patch(versionPath(made), { approval_notes: 'Mine.' }, developer)).status).toBe(200);
  });

  it('finds it as a GET does', async () => {
    const made = await make();
    for (const ref of ['1.0', 'v1.0', made.versions[0]?.id]) {
      expect((await patch(`${made.slug}/versions/${ref}`, {})).status).toBe(200);
    }
    for (const ref of ['2.0', 'one', made.id + 1_000_000]) {
      expect((await patch(`${made.slug}/versions/${ref}/`, {})).status).toBe(404);
    }
  });
});
