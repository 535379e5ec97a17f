import { Readable } from 'node:stream';
import { graphql } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { INPUTS } from '../../support/authorization/service-requests.ts';
import {
  BETWEEN_REVIEWERS,
  MAILED,
  NOT_AUDITED,
  OF_REST,
  OF_THE_SERVICE,
  ratingActs,
  SAME_AS,
} from '../../support/authorization/staff-acts.ts';
import { WEBHOOK_ACTS } from '../../support/authorization/webhook-acts.ts';
import { makeWorld, type World } from '../../support/authorization/world.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { makeJob } from '../../support/jobs.ts';
import { png } from '../../support/pictures.ts';

const app = setUpApp({ settings: { SUPER_CREATE: true } });
let world: World;
const { fullSchema: schema } = await import('../../../src/execution/schema.ts');

beforeAll(async () => {
  world = await makeWorld(app);
});

const applications = [{ app: 'DESKTOP_BROWSER', minVersion: '40.0', maxVersion: '*' }];
const ofPublic = () => ({ addon: { databaseId: world.addons.public.id } });
const DAY = { date: '2018-10-25', users: 1, downloads: 1 };
const DISABLED = { by: 'OPERATOR', isDisabled: true };
const EXTENSION = { browser: 'chrome', extensionId: 'audited' };
const RANGE = { addonMinVersion: '1.0', addonMaxVersion: '1.5', applications };

type Values = (world: World) => object | Promise<object>;

const id = async (type: string, insert: string, values: unknown[] = []) => {
  const [row] = await app.sql<{ id: number }>(`${insert} returning id`, values);
  return { id: globalId(type, row?.id) };
};
const strangerId = () => world.clients.stranger.accountId;
/** A picture as a file of the multipart request. */
const file = async () => {
  const bytes = await png(64, 64);
  return { fileName: 'x.png', mimeType: 'image/png', open: () => Readable.from([bytes]) };
};
const waiting = async ({ addon: make }: World) => {
  const { versions } = await make('waiting');
  return { id: globalId('Version', versions[0]?.id), comments: 'x' };
};
const previewOf = async ({ clients }: World) => {
  const made = await addon({ authors: [clients.owner.accountId ?? 0], previews: [{}] });
  const [row] = await app.sql<{ id: number }>('select id from preview where addon_id = $1', [made.id]);
  return { id: globalId('Preview', row?.id) };
};
const publicAddon = ({ addons }: World) => ({ id: globalId('Addon', addons.public.id) });
const texts = [{ locale: 'en-US', value: 'Audited' }];
const category = { app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'audited' };

/** The action of the audit row of each mutation, and its input unless that of the authorization table is valid. */
const AUDITED: Readonly<Record<string, readonly [string, Values?]>> = {
  // Accounts, keys and sessions of others
  updateAccount: [
    'account-edited',
    async ({ account }) => ({ id: globalId('Account', await account()), displayName: 'Audited' }),
  ],
  deleteAccount: ['account-deleted'],
  disableAccount: ['account-disabled'],
  enableAccount: [
    'account-enabled',
    async ({ account }) => {
      const accountId = await account();
      await app.sql('update account set disabled_at = now() where id = $1', [accountId]);
      return { id: globalId('Account', accountId) };
    },
  ],
  revokeApiKey: [
    'api-key-revoked',
    async () => {
      const [key] = await app.sql<{ id: number }>('select id from api_key where account_id = $1', [strangerId()]);
      return { id: globalId('ApiKey', key?.id) };
    },
  ],
  endSession: [
    'session-ended',
    () =>
      id(
        'Session',
        `insert into access_token (account_id, hash, expires) values ($1, sha256('audited'), now() + interval '1 day')`,
        [strangerId()],
      ),
  ],
  removeIdentity: [
    'identity-removed',
    async ({ clients }) => {
      const insert = 'insert into account_identity (account_id, issuer, subject) values ($1, $2, $3)';
      await app.sql(insert, [clients.root.accountId, 'https://id.example', 'kept']);
      return id('AccountIdentity', insert, [clients.root.accountId, 'https://id.example', 'removed']);
    },
  ],
  setAccountPicture: ['account-picture-set', () => ({ id: globalId('Account', strangerId()), file: file() })],
  updateNotifications: [
    'notifications-changed',
    () => ({ id: globalId('Account', strangerId()), changes: [{ name: 'new_features', isEnabled: false }] }),
  ],
  // Groups
  createGroup: ['group-created', () => ({ name: 'Audited' })],
  updateGroup: [
    'group-changed',
    async ({ group }) => {
      const groupId = await group();
      await app.sql('insert into group_member (group_id, account_id) values ($1, $2)', [groupId, strangerId()]);
      return { id: globalId('Group', groupId), rules: ['Addons:Edit'] };
    },
  ],
  addGroupMember: ['group-member-added'],
  removeGroupMember: [
    'group-member-removed',
    async ({ group }) => {
      const groupId = await group();
      await app.sql('insert into group_member (group_id, account_id) values ($1, $2)', [groupId, strangerId()]);
      return { group: globalId('Group', groupId), account: globalId('Account', strangerId()) };
    },
  ],
  // Abuse reports
  decideAbuseReport: ['abuse-report-decided'],
  replyToAbuseReport: [
    'abuse-reply-sent',
    async () => ({
      ...(await id(
        'AbuseReport',
        `insert into abuse_report (reporter_id, addon_guid, message) values ($1, 'x@example', 'x')`,
        [strangerId()],
      )),
      text: 'x',
    }),
  ],
  ...ratingActs(app, () => [world.addons.public.id, strangerId()]),
  // Reviewing
  approveVersion: [
    'version-approved',
    async (made) => {
      const { versions } = await made.addon('waiting');
      await app.sql('update file set is_stored = true where version_id = $1', [versions[0]?.id]);
      return { id: globalId('Version', versions[0]?.id) };
    },
  ],
  rejectVersion: [
    'version-rejected',
    async (made) => {
      const { versions } = await made.addon('waiting');
      return { id: globalId('Version', versions[0]?.id), comments: 'x' };
    },
  ],
  reviewVersions: [
    'version-rejected',
    async (made) => {
      const { versions } = await made.addon('waiting');
      return { act: 'REJECT', versions: [{ id: globalId('Version', versions[0]?.id) }], comments: 'x' };
    },
  ],
  reviewPersona: [
    'persona-approved',
    async () => {
      const authors = [world.clients.owner.accountId ?? 0];
      const made = await addon({ type: 'persona', status: 'pending', persona: {}, authors });
      return { id: globalId('Addon', made.id), approve: true };
    },
  ],
  requestInformation: ['version-information-requested', waiting],
  referVersion: ['version-referred', waiting],
  commentOnVersion: ['version-commented', waiting],
  replyToReview: ['version-reply-sent', waiting],
  createCannedResponse: ['canned-response-set', () => ({ name: 'Audited', text: texts })],
  updateCannedResponse: [
    'canned-response-set',
    async () => ({
      ...(await id('CannedResponse', `insert into canned_response (name, text) values ('Kept', '{"en-US": "x"}')`)),
      name: 'Changed',
    }),
  ],
  deleteCannedResponse: [
    'canned-response-deleted',
    () => id('CannedResponse', `insert into canned_response (name, text) values ('Gone', '{"en-US": "x"}')`),
  ],
  // The catalogue
  updateAddon: ['addon-edited', (made) => ({ ...publicAddon(made), hasPublicStatistics: true })],
  setAddonIcon: ['icon-set', (made) => ({ ...publicAddon(made), file: file() })],
  addPreview: ['preview-added', (made) => ({ addon: publicAddon(made).id, file: file() })],
  updatePreview: ['preview-edited', async (made) => ({ ...(await previewOf(made)), caption: texts })],
  deletePreview: ['preview-deleted', previewOf],
  setAddonDisabled: [
    'addon-disabled-by-operator',
    async (made) => ({ id: globalId('Addon', (await made.addon('public')).id), ...DISABLED }),
  ],
  reviveAddon: ['addon-revived', async (made) => ({ id: globalId('Addon', (await made.addon('deleted')).id) })],
  setFeatured: ['addon-featured', () => ({ ...ofPublic(), app: 'DESKTOP_BROWSER', isFeatured: true })],
  upsertReplacement: ['replacement-set', () => ({ guid: world.addons.public.guid, target: { guids: ['x@example'] } })],
  deleteReplacement: ['replacement-set', () => ({ guid: world.addons.public.guid })],
  upsertCollection: ['collection-set', () => ({ path: 'audited', guids: [world.addons.public.guid] })],
  deleteCollection: ['collection-set', () => ({ path: 'audited' })],
  upsertCompatOverride: ['compat-override-set', () => ({ guid: world.addons.public.guid, versionRanges: [RANGE] })],
  deleteCompatOverride: ['compat-override-set', () => ({ guid: world.addons.public.guid })],
  setDiscovery: ['discovery-set', () => ({ entries: [] })],
  upsertDiscoveryEntry: ['discovery-entry-set', () => ofPublic()],
  deleteDiscoveryEntry: ['discovery-entry-removed', () => ofPublic()],
  upsertBrowserMapping: ['browser-mapping-set', () => ({ ...EXTENSION, addonGuid: 'x@example' })],
  deleteBrowserMapping: ['browser-mapping-removed', () => EXTENSION],
  createHeroEntry: ['hero-entry-set', () => ({ ...ofPublic(), gradientStart: '#000000', gradientEnd: '#ffffff' })],
  updateHeroEntry: ['hero-entry-set', () => ({ id: globalId('HeroEntry', 1), gradientEnd: '#111111' })],
  deleteHeroEntry: ['hero-entry-removed', () => ({ id: globalId('HeroEntry', 1) })],
  updateHeroSecondary: ['hero-set', () => ({})],
  setHero: ['hero-set', () => ({ entries: [] })],
  setBrowserMappings: ['browser-mappings-set', () => ({ browser: 'chrome', mappings: [] })],
  setRecommendationFallback: ['recommendation-fallback-set', () => ({ guids: [world.addons.public.guid] })],
  recordStatistics: ['statistics-imported', () => ({ rows: [{ ...DAY, guid: world.addons.public.guid }] })],
  addApplicationVersion: ['application-version-added'],
  upsertCategory: ['category-set', () => ({ ...category, name: texts })],
  deleteCategory: ['category-deleted', () => category],
  upsertLicense: ['license-set', () => ({ builtin: 'audited', name: texts })],
  deleteLicense: ['license-deleted', () => ({ builtin: 'audited' })],
  createUpdateAddress: ['update-address-created', () => ({ guid: 'audited-address@example' })],
  endUpdateAddress: [
    'update-address-ended',
    ({ clients }) =>
      id(
        'UpdateAddress',
        `insert into update_address (guid, account_id, key_hash) values ('audited-address@example', $1, 'x')`,
        [clients.owner.accountId],
      ),
  ],
  retryJob: ['job-retried', async () => ({ id: globalId('Job', await makeJob(app)) })],
  dropJob: ['job-dropped', async () => ({ id: globalId('Job', await makeJob(app)) })],
  ...WEBHOOK_ACTS,
  setReadOnly: ['read-only-switched', () => ({ isReadOnly: true })],
  setSiteNotice: ['site-notice-set', () => ({ text: [{ locale: 'en', value: 'Audited' }] })],
};

const rows = () => app.sql<{ actor: string; action: string }>('select actor, action from audit_entry order by id');

async function run(name: string, input: object) {
  const field = schema.getMutationType()?.getFields()[name];
  const [argument] = field?.args ?? [];
  const { data, errors } = await graphql({
    schema,
    source: `mutation($input: ${argument?.type}) { ${name}(input: $input) { __typename ... on UserError { message } } }`,
    variableValues: { input },
    contextValue: { viewer: world.viewers.root, locale: 'en-US', ip: null, requestId: 'test' },
  });
  return data?.[name] ?? errors;
}

describe('the audit log', () => {
  it('has a known relation to every mutation', () => {
    const names = Object.keys(schema.getMutationType()?.getFields() ?? {});
    const known = (name: string) =>
      name in AUDITED || NOT_AUDITED.includes(name) || name in SAME_AS || name === OF_REST;
    expect(names.filter((name) => !known(name))).toEqual([]);
    expect(Object.entries(SAME_AS).filter(([name, other]) => !names.includes(name) || !(other in AUDITED))).toEqual([]);
    expect(Object.keys(AUDITED).filter((name) => NOT_AUDITED.includes(name) || !names.includes(name))).toEqual([]);
  });

  it('has a mail to the owners for every act on what belongs to others', () => {
    const declared = [
      ...MAILED.individual_contact,
      ...MAILED.reviewer_reviewed,
      ...OF_THE_SERVICE,
      ...BETWEEN_REVIEWERS,
    ];
    expect(declared.toSorted()).toEqual(Object.keys(AUDITED).toSorted());
  });

  it.each(Object.entries(AUDITED))('has one row for %s, and the outbox its mail', async (name, [action, given]) => {
    const input = await (given ?? INPUTS[name])?.(world);
    // Accounts without an address get no mail.
    await app.sql(
      "update account set email = username || '@example.org' where email is null and id > 0 and deleted_at is null",
    );
    await app.sql('delete from outgoing_mail');
    const before = (await rows()).length;
    const result = await run(name, input ?? {});
    const typename = `${name[0]?.toUpperCase()}${name.slice(1)}Payload`;
    const added = (await rows()).slice(before);
    const shared = ['approveVersion', 'rejectVersion'].includes(name) ? expect.stringContaining('Payload') : typename;
    expect([result, added]).toEqual([
      expect.objectContaining({ __typename: shared }),
      [{ actor: expect.stringContaining(`account ${world.clients.root.accountId} (`), action }],
    ]);
    const mails = await app.sql<{ kind: string }>('select distinct notification as kind from outgoing_mail');
    const mailed = Object.entries(MAILED).filter(([, names]) => (names as readonly string[]).includes(name));
    expect(mails).toEqual(mailed.map(([kind]) => ({ kind })));
  });

  it('has a row for each change and an unbroken chain afterwards', async () => {
    const { verifyAuditLog } = await import('../../../src/domain/activity/record-audit.ts');
    expect((await verifyAuditLog()).broken).toEqual([]);
  });
});
