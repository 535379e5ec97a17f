/*
 * What a viewer may not see is indistinguishable from what does not exist: the responses are the same bytes, and take the same
 * statements in the same order. Ids have six digits and names one length, so that responses which repeat them have one length too.
 */

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { get, graphql, PROBES, type Send, SHOWN, versionPath } from '../support/authorization/probes.ts';
import type { Client, Reply } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { statementsDuring } from '../support/statements.ts';
import { markStored } from '../support/stored-files.ts';

const app = setUpApp();
let stranger: Client;
let owner: Client;
let reporter: Client;

const UNKNOWN = 999_999;
const hex = (digits = 32) => randomBytes(digits / 2).toString('hex');
const newName = () => `user-${hex(12)}`;
const newGuid = () => `${hex(12)}@example`;

/** What probes name, by kind: hidden objects by title, each with an unknown counterpart. */
const hidden: Record<string, Record<string, string | number>> = {};
let shown: MadeAddon;

beforeAll(async () => {
  for (const table of [
    'account',
    'addon',
    'version',
    'upload',
    'file',
    'activity',
    'preview',
    'api_key',
    'access_token',
    'update_address',
  ]) {
    await app.sql(`ALTER SEQUENCE ${table}_id_seq RESTART 100000`);
  }
  [stranger, owner, reporter] = [await app.developer(), await app.developer(), await app.developer()];
  await makeAccounts();
  await makeAddons();
  await makeVersions();
  await makeOthers();
});

async function makeAccounts(): Promise<void> {
  const rows = await app.sql<{ id: number; username: string }>(
    'INSERT INTO account (username) SELECT unnest($1::text[]) RETURNING id, username',
    [Array.from({ length: 5 }, newName)],
  );
  const [withoutAddons, ofHidden, unlisted, disabled, deleted] = rows;
  await addon({ status: 'disabled', authors: [ofHidden?.id ?? 0] });
  await addon({ authors: [owner.accountId ?? 0, { id: unlisted?.id ?? 0, role: 'developer', listed: false }] });
  await addon({ authors: [owner.accountId ?? 0, disabled?.id ?? 0] });
  const admin = await app.admin();
  await admin.graphql('mutation ($id: ID!) { disableAccount(input: { id: $id }) { __typename } }', {
    id: globalId('Account', disabled?.id),
  });
  expect((await admin.request('DELETE', `/api/v4/accounts/account/${deleted?.id}/`)).status).toBe(204);
  const titled = { withoutAddons, ofHidden, unlisted, disabled, deleted };
  const by = (key: 'id' | 'username') =>
    Object.fromEntries(Object.entries(titled).map(([title, row]) => [title, row?.[key] ?? '']));
  hidden.accountId = by('id');
  hidden.accountName = by('username');
  hidden.goneAccountId = { deleted: deleted?.id ?? 0 };
}

async function makeAddons(): Promise<void> {
  const made = await addon({
    guid: newGuid(),
    slug: hex(12),
    authors: [owner.accountId ?? 0],
    previews: [{ position: 0 } as never],
  });
  const [preview] = await app.sql<{ id: number }>('SELECT id FROM preview');
  await owner.graphql('mutation ($id: ID!) { deleteAddon(input: { id: $id }) { __typename } }', {
    id: globalId('Addon', made.id),
  });
  hidden.addonId = { deleted: made.id };
  hidden.addonGuid = { deleted: made.guid };
  hidden.addonSlug = { deleted: made.slug };
  hidden.previewId = { deleted: preview?.id ?? 0 };
  hidden.versionOfDeleted = { deleted: made.versions[0]?.id ?? 0 };
}

async function makeVersions(): Promise<void> {
  const file = [{ status: 1 }];
  shown = await addon({
    slug: SHOWN,
    authors: [owner.accountId ?? 0],
    versions: [
      {},
      { stage: 'validating', files: file },
      { stage: 'invalid', files: file },
      { deletedAt: new Date() },
      { stage: 'awaiting_review', files: file },
    ],
  });
  const [, validating, failed, deleted, waiting] = shown.versions;
  hidden.upload = { validating: validating?.id ?? 0, failed: failed?.id ?? 0 };
  hidden.versionId = { ...hidden.upload, deleted: deleted?.id ?? 0 };
  hidden.versionNumber = { validating: '2.0', failed: '3.0', deleted: '4.0' };
  await markStored(app);
  hidden.fileId = { waiting: waiting?.files[0]?.id ?? 0, deleted: deleted?.files[0]?.id ?? 0 };
  const note = (version: number | undefined, action: string) =>
    app.sql<{ id: number }>(
      `INSERT INTO activity (action, addon_id, version_id, account_id, comments, details) VALUES ($1, $2, $3, $4, 'x', '{}') RETURNING id`,
      [action, shown.id, version, stranger.accountId],
    );
  const [comment] = await note(waiting?.id, 'comment');
  const [elsewhere] = await note(validating?.id, 'review-note');
  hidden.noteId = { comment: comment?.id ?? 0, ofAnotherVersion: elsewhere?.id ?? 0 };
}

async function makeOthers(): Promise<void> {
  const id = reporter.accountId;
  const [upload] = await app.sql<{ pk: string }>(
    `INSERT INTO upload (pk, account_id, file_name, channel, stage, sha256, size, manifest, expires)
     VALUES ($1, $2, 'x.xpi', 'unlisted', 'valid', repeat('0', 64), 1, '{"guid": "x@example", "version": "1.0"}', now() + interval '1 day')
     RETURNING pk`,
    [hex(), id],
  );
  const [key] = await app.sql<{ id: number }>('SELECT id FROM api_key WHERE account_id = $1', [id]);
  const [session] = await app.sql<{ id: number }>(
    `INSERT INTO access_token (account_id, hash, expires) VALUES ($1, decode(repeat('00', 32), 'hex'), now() + interval '1 day') RETURNING id`,
    [id],
  );
  const [address] = await app.sql<{ id: number }>(
    'INSERT INTO update_address (guid, account_id, addon_id, key_hash) VALUES ($1, $2, $3, $4) RETURNING id',
    [shown.guid, id, shown.id, hex(64)],
  );
  hidden.uploadPk = { ofAnother: upload?.pk ?? '' };
  hidden.keyId = { ofAnother: key?.id ?? 0 };
  hidden.sessionId = { ofAnother: session?.id ?? 0 };
  hidden.addressId = { ofAnother: address?.id ?? 0 };
}

/** An unknown counterpart of an id or a name, of the same length. */
const unknown: Readonly<Record<string, string | number>> = {
  ...{ accountName: newName(), addonGuid: newGuid(), addonSlug: hex(12), versionNumber: '9.9', uploadPk: hex() },
};

/** The bytes of a response without what differs by request, with the object named alike. */
function bytesOf({ status, headers, text }: Reply, ref: string | number) {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(String(ref), 'REF') };
}

/** The use of a key is recorded once a minute. */
const isUse = (statement: string) => /SET last_used = now\(\)/.test(statement);

/** The response and the statements of a probe. */
async function outcomeOf(probe: Send, client: Client, ref: string | number) {
  let reply: Reply | undefined;
  const statements = await statementsDuring(async () => {
    reply = await probe(client, ref);
  });
  if (reply === undefined) throw new Error('no response');
  expect(reply.status).toBeLessThan(500);
  return { ...bytesOf(reply, ref), statements: statements.filter((each) => !isUse(each)) };
}

const CASES = Object.entries(PROBES).flatMap(([kind, probes]) =>
  Object.entries(probes).map(([name, probe]) => ({ kind, name, probe })),
);

describe('what a viewer may not see', () => {
  it.each(CASES)('$name of a $kind has the response of one that does not exist', async ({ kind, probe }) => {
    for (const client of [app.anonymous, stranger]) {
      const none = unknown[kind] ?? UNKNOWN;
      // Documents that it reads are in memory afterwards.
      await probe(client, none);
      const expected = await outcomeOf(probe, client, none);
      expect([200, 201, 400, 401, 403, 404]).toContain(expected.status);
      for (const [title, ref] of Object.entries(hidden[kind] ?? {})) {
        expect({ title, ...(await outcomeOf(probe, client, ref)) }).toEqual({ title, ...expected });
      }
    }
  });

  it('a comment between reviewers has the response of a note of another version for an author', async () => {
    const waiting = shown.versions[4]?.id ?? 0;
    const probe: Send = get((ref) => `${versionPath('v4', 'reviewnotes/')(waiting)}${ref}/`);
    const expected = await outcomeOf(probe, owner, UNKNOWN);
    for (const ref of Object.values(hidden.noteId ?? {})) {
      expect(await outcomeOf(probe, owner, ref)).toEqual(expected);
    }
  });

  it('a comment between reviewers has the response of no object by its global id for an author and other accounts', async () => {
    const probe = graphql('query ($id: ID!) { reviewNote(id: $id) { id } }', (ref) => ({
      id: globalId('ReviewNote', ref),
    }));
    for (const client of [owner, app.anonymous]) {
      const expected = await outcomeOf(probe, client, UNKNOWN);
      expect(await outcomeOf(probe, client, hidden.noteId?.comment ?? 0)).toEqual(expected);
    }
  });
});
