/* The file with the data of an account: complete, of this account alone, without secrets. */
import { beforeAll, describe, expect, it } from 'vitest';
import { signedInLongAgo } from '../../support/account-pages.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
const PATH = '/account/data.json';
let client: Client;
let visitor: Visitor;

beforeAll(async () => {
  client = await app.developer();
  visitor = await visitorOf(app, client);
});

/** Columns that name an account and are not in the file, which docs/retention.md explains. */
const LEFT_OUT = ['abuse_report.account_id', 'login_attempt.link_account_id'];

/** Columns that the file never has: secrets, their hashes, and what names others. */
const NEVER = /hash|secret|sealed|nonce|verifier|reporter_id|invited_by|quote|html|headers/;

const fileOf = async (of: Visitor) =>
  JSON.parse((await of.get(PATH)).text) as Record<string, Record<string, unknown>[]>;

describe('the parts of the file', () => {
  it('read every column that refers to an account, or docs/retention.md says why not', async () => {
    const { OWN_DATA_PARTS } = await import('../../../src/domain/accounts/own-data.ts');
    const columns = await app.sql<{ name: string }>(
      `SELECT conrelid::regclass || '.' || attname AS name FROM pg_constraint
       JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
       WHERE contype = 'f' AND confrelid = 'account'::regclass
       UNION SELECT table_name || '.' || column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ 'account_id$'`,
    );
    const inFile = OWN_DATA_PARTS.map(({ table, account }) => `${table}.${account}`);
    const known = [...inFile.filter((name) => !/\.account\.id$|^audit_entry/.test(name)), ...LEFT_OUT];
    expect(known.sort()).toEqual(columns.map(({ name }) => name).sort());
  });

  it('have no secrets and no column that names others', async () => {
    const { OWN_DATA_PARTS } = await import('../../../src/domain/accounts/own-data.ts');
    expect(OWN_DATA_PARTS.filter(({ columns }) => NEVER.test(columns))).toEqual([]);
  });
});

describe(`GET ${PATH}`, () => {
  it('has the rows of the account, and of no other', async () => {
    const other = await app.reviewer();
    const { db } = await import('../../../src/infra/db.ts');
    const { recordAudit } = await import('../../../src/domain/activity/record-audit.ts');
    for (const { accountId } of [client, other]) {
      const actor = { accountId: accountId ?? 0, username: `name (${accountId})` };
      await db.$transaction((tx) => recordAudit(tx, actor, 'own-data', { other: 'person' }));
    }
    await app.sql(`INSERT INTO activity (action, account_id, comments)
      SELECT 'note', ${client.accountId}, 'note ' || n FROM generate_series(1, 1001) n
      UNION ALL SELECT 'note', ${other.accountId}, 'of another'`);
    const { status, headers, text } = await visitor.get(PATH);
    expect([status, headers['content-type'], headers['cache-control'], headers['content-disposition']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'private, no-store',
      'attachment; filename="account-data.json"',
    ]);
    const file = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
    expect(file['profile']).toMatchObject([{ id: client.accountId }]);
    expect(file['sessions']?.length).toBeGreaterThan(0);
    const notes = file['activity_and_notes']?.filter(({ action }) => action === 'note') ?? [];
    expect(new Set(notes.map(({ comments }) => comments)).size).toBe(1001);
    expect(file['audit_entries']?.map(({ actor }) => actor)).toEqual([
      `account ${client.accountId} (name (${client.accountId}))`,
    ]);
    expect(file['truncated']).toEqual([]);
    expect(text).not.toContain('of another');
    expect(text).not.toContain('"person"');
  });

  it('has a list for each part, also without rows', async () => {
    const { OWN_DATA_PARTS } = await import('../../../src/domain/accounts/own-data.ts');
    const file = await fileOf(await visitorOf(app, await app.developer()));
    expect(Object.keys(file)).toEqual(['created', ...OWN_DATA_PARTS.map(({ name }) => name), 'truncated']);
  });

  it('needs a recent sign-in', async () => {
    const early = await (await signedInLongAgo(app)).get(PATH);
    expect([early.status, early.headers.location]).toEqual([303, `/login/?next=${encodeURIComponent(PATH)}&again=1`]);
    expect((await new Visitor(app).get(PATH)).status).toBe(303);
  });
});
