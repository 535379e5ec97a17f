import { readFile } from 'node:fs/promises';
import { assertInterfaceType, buildSchema, GraphQLInt, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA_FILE } from '../../src/execution/print-schema.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let developer: Client;
let admin: Client;
/** Global ids by the names of their types. */
let ids: Record<string, string>;

interface Nodes {
  viewer: { id: string; private: { apiKeys: { id: string }[] } };
  addon: {
    id: string;
    previews: { id: string }[];
    versions: { edges: { node: { id: string; files: { id: string }[] } }[] };
  };
  categories: { id: string }[];
  licenses: { id: string }[];
  upload: { id: string };
  replacements: { nodes: { id: string }[] };
  compatOverrides: { nodes: { id: string }[] };
}

beforeAll(async () => {
  [developer, admin] = [await app.developer(), await app.admin()];
  const { db } = await import('../../src/infra/db.ts');
  await db.replacement.create({ data: { guid: 'legacy@example', guids: [] } });
  await db.compatOverride.create({ data: { guid: 'override@example', name: 'Override' } });
  const { id } = await addon({ previews: [{ caption: { 'en-US': 'A screenshot' } }] });
  const upload = await xpi({ guid: 'node@example' });
  const { pk } = (await developer.put('/api/v4/addons/node@example/versions/1.0/', { upload })).json as { pk: string };
  const found = await developer.graphql<Nodes>(
    `query($ref: Int!, $id: ID!) {
      viewer { id private { apiKeys { id } } }
      addon(by: { databaseId: $ref }) { id previews { id } versions(first: 1) { edges { node { id files { id } } } } }
      categories { id } licenses { id } upload(by: { id: $id }) { id }
      replacements { nodes { id } } compatOverrides { nodes { id } } }`,
    { ref: id, id: globalId('Upload', pk) },
  );
  ids = {
    Account: found.viewer.id,
    Addon: found.addon.id,
    ApiKey: found.viewer.private.apiKeys[0]?.id ?? '',
    File: found.addon.versions.edges[0]?.node.files[0]?.id ?? '',
    Category: found.categories[0]?.id ?? '',
    CompatOverride: found.compatOverrides.nodes[0]?.id ?? '',
    License: found.licenses[0]?.id ?? '',
    Preview: found.addon.previews[0]?.id ?? '',
    Replacement: found.replacements.nodes[0]?.id ?? '',
    SignatureLogEntry: await logEntry(id),
    UpdateAddress: await updateAddress(),
    Upload: found.upload.id,
    Version: found.addon.versions.edges[0]?.node.id ?? '',
    ...(await peopleNodes(id, found.addon.versions.edges[0]?.node.id ?? '')),
  };
});

async function updateAddress(): Promise<string> {
  const { result } = await developer.graphql<{ result: { updateAddress: { id: string } } }>(
    `mutation { result: createUpdateAddress(input: { guid: "node@example" }) {
      ... on CreateUpdateAddressPayload { updateAddress { id } } } }`,
  );
  return result.updateAddress.id;
}

/** Nodes that only their account or administrators see. */
async function peopleNodes(addonId: number, version: string): Promise<Record<string, string>> {
  const { db } = await import('../../src/infra/db.ts');
  const { issueAccessToken } = await import('../../src/domain/accounts/issue-credentials.ts');
  await db.$transaction((tx) => issueAccessToken(tx, developer.accountId ?? 0));
  await db.outgoingMail.create({ data: { address: 'a@example.org', cause: 'x', subject: 's', text: 't', html: 'h' } });
  const read = await admin.graphql<{ groups: { id: string }[]; mailOutbox: { nodes: { id: string }[] } }>(
    '{ groups { id } mailOutbox(first: 1) { nodes { id } } }',
  );
  const own = await developer.graphql<{ viewer: { private: { sessions: { id: string }[] } } }>(
    '{ viewer { private { sessions { id } } } }',
  );
  const made = await admin.graphql<{
    reportAddon: { report: { id: string } };
    createCannedResponse: { cannedResponse: { id: string } };
    commentOnVersion: { note: { id: string } };
    createCollection: { collection: { id: string } };
    createRating: { rating: { id: string } };
  }>(
    `mutation ($addon: Int!, $version: ID!) {
      reportAddon(input: { addon: { databaseId: $addon }, message: "m" }) { ... on ReportAddonPayload { report { id } } }
      createCannedResponse(input: { name: "n", text: [{ locale: "en-US", value: "t" }] }) {
        ... on CreateCannedResponsePayload { cannedResponse { id } } }
      createCollection(input: { slug: "c", name: [{ locale: "en-US", value: "c" }] }) {
        ... on CreateCollectionPayload { collection { id } } }
      createRating(input: { addon: { databaseId: $addon }, version: { number: "1.0" }, score: 5 }) {
        ... on CreateRatingPayload { rating { id } } }
      commentOnVersion(input: { id: $version, comments: "c" }) { ... on CommentOnVersionPayload { note { id } } } }`,
    { addon: addonId, version },
  );
  const versionId = Number(Buffer.from(version, 'base64').toString().split(':')[1]);
  const line = { path: 'x.js', line: 1, quote: 'x', text: 'x' };
  const comment = await db.lineComment.create({ data: { versionId, accountId: admin.accountId ?? 0, ...line } });
  const identity = { accountId: developer.accountId ?? 0, issuer: 'https://id.example', subject: 'developer' };
  await db.accountIdentity.create({ data: identity });
  const { viewer } = await developer.graphql<{ viewer: { private: { identities: { id: string }[] } } }>(
    '{ viewer { private { identities { id } } } }',
  );
  return {
    AbuseReport: made.reportAddon.report.id,
    Collection: made.createCollection.collection.id,
    Rating: made.createRating.rating.id,
    CannedResponse: made.createCannedResponse.cannedResponse.id,
    AccountIdentity: viewer.private.identities[0]?.id ?? '',
    LineComment: Buffer.from(`LineComment:${comment.id}`).toString('base64'),
    Group: read.groups[0]?.id ?? '',
    ...(await webhookNodes()),
    OutgoingMail: read.mailOutbox.nodes[0]?.id ?? '',
    ReviewNote: made.commentOnVersion.note.id,
    Session: own.viewer.private.sessions[0]?.id ?? '',
  };
}

/** A webhook of the service, and a delivery. */
async function webhookNodes(): Promise<Record<string, string>> {
  const { db } = await import('../../src/infra/db.ts');
  const { id } = await db.webhook.create({
    data: { url: 'https://hooks.example/', sealedSecret: Buffer.from('x'), actions: ['approved'] },
  });
  const delivery = await db.webhookDelivery.create({ data: { webhookId: id, action: 'approved', data: {} } });
  const nodes = { Webhook: id, WebhookDelivery: delivery.id };
  return Object.fromEntries(
    Object.entries(nodes).map(([type, key]) => [type, Buffer.from(`${type}:${key}`).toString('base64')]),
  );
}

/** Logs a certificate for the file of an add-on and returns the global id of the log entry. */
async function logEntry(addonId: number): Promise<string> {
  const { logCertificate } = await import('../../src/domain/signature-log/signature-log.ts');
  const [file] = await app.sql<{ id: number }>(
    'SELECT file.id FROM file JOIN version ON version.id = version_id WHERE addon_id = $1',
    [addonId],
  );
  const facts = { serial: '01', issuer: 'CN=test', guid: 'node@example', version: '1.0', inputSha256: '0'.repeat(64) };
  await logCertificate({ ...facts, fileId: file?.id ?? 0 });
  const { signatureLog } = await app.anonymous.graphql<{
    signatureLog: { totalCount: number; edges: { node: { id: string } }[] };
  }>('{ signatureLog(first: 1) { totalCount edges { node { id } } } }');
  expect(signatureLog.totalCount).toBe(1);
  return signatureLog.edges[0]?.node.id ?? '';
}

async function node(client: Client, id: string): Promise<unknown> {
  const query = 'query($id: ID!) { node(id: $id) { __typename id } }';
  const { data, errors } = await client.graphqlResult<{ node: unknown }>(query, { id });
  if (data?.node === null) expect(errors).toMatchObject([{ path: ['node'], extensions: { code: 'NOT_FOUND' } }]);
  return data?.node;
}

/** Types whose objects only administrators and reviewers see. */
const FOR_STAFF = [
  ...['AbuseReport', 'CannedResponse', 'Group', 'LineComment', 'OutgoingMail', 'ReviewNote'],
  ...['Webhook', 'WebhookDelivery'],
];

describe('node', () => {
  it('returns every type of node by its global id', async () => {
    const schema = buildSchema(await readFile(SCHEMA_FILE, 'utf8'));
    const { objects } = schema.getImplementations(assertInterfaceType(schema.getType('Node')));
    expect(Object.keys(ids).sort()).toEqual(objects.map(({ name }) => name).sort());
    for (const [type, id] of Object.entries(ids)) {
      const client = FOR_STAFF.includes(type) ? admin : developer;
      expect(await node(client, id)).toEqual({ __typename: type, id });
    }
  });

  it('resolves a preview only for viewers who may see its add-on', async () => {
    const hidden = await addon({ isDisabledByDeveloper: true, authors: [developer.accountId ?? 0], previews: [{}] });
    const [preview] = await app.sql<{ id: number }>('SELECT id FROM preview WHERE addon_id = $1', [hidden.id]);
    const id = Buffer.from(`Preview:${preview?.id}`).toString('base64');
    expect(await node(developer, id)).toEqual({ __typename: 'Preview', id });
    expect(await node(app.anonymous, id)).toBeNull();
  });

  it('returns API keys to their owner only', async () => {
    expect(await node(app.anonymous, ids.ApiKey ?? '')).toBeNull();
    expect(await node(await app.developer(), ids.ApiKey ?? '')).toBeNull();
  });

  it('returns null and NOT_FOUND for unknown ids', async () => {
    for (const type of Object.keys(ids)) {
      for (const key of [
        type === 'Upload' ? '0'.repeat(32) : 999_999,
        '2147483648',
        '9'.repeat(30),
        'x',
        '1.5',
        '-1',
        ' ',
      ]) {
        const id = Buffer.from(`${type}:${key}`).toString('base64');
        expect([type, key, await node(developer, id)]).toEqual([type, key, null]);
      }
    }
  });

  it('returns an add-on with the largest id', async () => {
    const { id } = await addon({ id: 2_147_483_647 });
    const global = Buffer.from(`Addon:${id}`).toString('base64');
    expect(await node(app.anonymous, global)).toEqual({ __typename: 'Addon', id: global });
  });
});

describe('the cursor of a log', () => {
  const read = (log: string, after: string | null) =>
    admin.graphqlResult<Record<string, { edges: { cursor: string }[] }>>(
      `query ($after: String) { ${log}(after: $after) { edges { cursor } } }`,
      { after },
    );
  const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

  it.each([
    ['signatureLog', 'auditLog'],
    ['auditLog', 'signatureLog'],
  ])('of %s is a position of that log alone', async (log, other) => {
    const { data } = await read(log, null);
    const last = data?.[log]?.edges.at(-1)?.cursor ?? '';
    expect(await read(log, last)).toEqual({ data: { [log]: { edges: [] } } });
    expect(await read(log, cursorOf(`${log}:9223372036854775807`))).toEqual({ data: { [log]: { edges: [] } } });
    const positions = ['x', '1.5', '0', '-1', '9223372036854775808', '9'.repeat(23)].map((id) =>
      cursorOf(`${log}:${id}`),
    );
    for (const after of [...positions, cursorOf('GPC:I:1'), cursorOf(`${other}:1`), 'x', '']) {
      expect([after, await read(log, after)]).toMatchObject([
        after,
        { data: null, errors: [{ message: expect.stringContaining('is not a cursor of this list'), path: [log] }] },
      ]);
    }
  });
});

/** Parts of other objects, which no cache keeps on their own. */
const PARTS = ['CompatOverrideApplication', 'HeroPrimary', 'RatedVersion', 'ReportedRating', 'TestAccountGroup'];

describe('id', () => {
  it('is a field of every type with a database id and of every item of a connection', async () => {
    const types = Object.values(buildSchema(await readFile(SCHEMA_FILE, 'utf8')).getTypeMap()).filter(isObjectType);
    const identified = types.flatMap((type) => {
      const { databaseId, node: item } = type.getFields();
      if (type.name.endsWith('Edge') && item !== undefined) return [getNamedType(item.type)];
      return String(databaseId?.type) === 'Int!' && !PARTS.includes(type.name) ? [type] : [];
    });
    expect(identified).toContain(types.find(({ name }) => name === 'AuditEntry'));
    const idsOf = identified.map((type) => (isObjectType(type) ? [type.name, String(type.getFields().id?.type)] : []));
    expect(idsOf).toEqual(idsOf.map(([name]) => [name, 'ID!']));
  });

  it('is global in inputs, except where an argument is called databaseId', async () => {
    const types = Object.values(buildSchema(await readFile(SCHEMA_FILE, 'utf8')).getTypeMap());
    const inputs = types.flatMap((type) => {
      if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => ({ of: type.name, ...field }));
      if (!isObjectType(type)) return [];
      const fields = Object.values(type.getFields());
      return fields.flatMap(({ name, args }) => args.map((each) => ({ ...each, of: `${type.name}.${name}` })));
    });
    const databaseIds = inputs.filter(({ name, type }) => /ids?$/i.test(name) && getNamedType(type) === GraphQLInt);
    expect(databaseIds.map(({ of, name }) => `${of}(${name}:)`).sort()).toEqual([
      'AccountRefInput(databaseId:)',
      'AddonRefInput(databaseId:)',
      'ReviewThread.note(databaseId:)',
      'VersionRefInput(databaseId:)',
    ]);
  });

  it('is the same for an object in a list and in the payload of a mutation, and differs between objects', async () => {
    const read = async (client: Client) => {
      const { viewer } = await client.graphql<{ viewer: { private: { notifications: { id: string }[] } } }>(
        '{ viewer { private { notifications { id } } } }',
      );
      return viewer.private.notifications.map(({ id }) => id);
    };
    const listed = await read(developer);
    const { result } = await developer.graphql<{ result: { notifications: { id: string }[] } }>(
      `mutation ($id: ID!) { result: updateNotifications(input: { id: $id, changes: [] }) {
        ... on UpdateNotificationsPayload { notifications { id } } } }`,
      { id: ids.Account },
    );
    expect(result.notifications.map(({ id }) => id)).toEqual(listed);
    const all = [...listed, ...(await read(admin))];
    expect(new Set(all).size).toBe(all.length);
  });
});
