/* A NUL, which PostgreSQL cannot store, is a part of what a client looks for: the value without it is another one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { makeJob } from '../support/jobs.ts';

const app = setUpApp();
let root: Client;
let made: MadeAddon;
let username: string;

beforeAll(async () => {
  root = await app.admin();
  username =
    (await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [root.accountId]))[0]
      ?.username ?? '';
  made = await addon({
    ...{
      slug: 'nulled',
      featured: [{ app: 'desktop_browser', locale: 'de' }],
      tags: ['nulltag'],
      authors: [root.accountId ?? 0],
    },
    versions: [{ stage: 'awaiting_review', version: '1.0', reviewed: null }, {}],
  });
  const { db } = await import('../../src/infra/db.ts');
  await db.abuseReport.create({ data: { addonGuid: made.guid, addonId: made.id, message: 'x' } });
  await app.sql(
    `INSERT INTO outgoing_mail (address, cause, subject, text, html) VALUES ('nul@example.org', 'x', 'x', 'x', 'x')`,
  );
  await app.sql(
    `INSERT INTO activity (action, account_id, addon_id, version_id)
     SELECT 'comment', $1, addon_id, id FROM version WHERE addon_id = $2 LIMIT 1`,
    [root.accountId, made.id],
  );
  await makeJob(app, { task: 'sign-version' });
  const { recordAudit } = await import('../../src/domain/activity/record-audit.ts');
  await db.$transaction((tx) => recordAudit(tx, 'nul program', 'nul-action', { of: 'nul-object', addonId: made.id }));
});

/** A query whose response has items for the value, and the value. */
const LOOKUPS: readonly [name: string, query: string, value: () => string][] = [
  ['featuredAddons, locale', 'featuredAddons(app: DESKTOP_BROWSER, locale: $value) { id }', () => 'de'],
  ['addons, guids', 'addons(filter: { guids: [$value] }) { nodes { id } }', () => made.guid],
  ['addons, tags', 'addons(filter: { tags: [$value] }) { nodes { id } }', () => 'nulltag'],
  ['mailOutbox, to', 'mailOutbox(to: $value) { nodes { id } }', () => 'nul@example.org'],
  ['jobs, task', 'jobs(filter: { task: $value }) { nodes { id } }', () => 'sign-version'],
  ['auditLog, actor', 'auditLog(filter: { actor: $value }) { nodes { id } }', () => 'nul program'],
  ['auditLog, action', 'auditLog(filter: { action: $value }) { nodes { id } }', () => 'nul-action'],
  ['auditLog, about', 'auditLog(filter: { about: $value }) { nodes { id } }', () => 'nulled'],
  ['auditLog, object', 'auditLog(filter: { object: $value }) { nodes { id } }', () => 'nul-object'],
  ['abuseReports, slug', 'abuseReports(filter: { addon: { slug: $value } }) { nodes { id } }', () => 'nulled'],
  ['abuseReports, guid', 'abuseReports(filter: { addon: { guid: $value } }) { nodes { id } }', () => made.guid],
  ['reviewLog, reviewer', 'reviewLog(filter: { reviewer: { username: $value } }) { nodes { id } }', () => username],
  [
    'reviewQueue, author',
    'reviewQueue(filter: { author: { username: $value } }) { nodes { version { id } } }',
    () => username,
  ],
  ['accounts, search', 'accounts(filter: { search: $value }) { nodes { id } }', () => username],
  ['addon, slug', 'addon(by: { slug: $value }) { id }', () => 'nulled'],
  ['account, username', 'account(by: { username: $value }) { id }', () => username],
];

describe('a value with a NUL', () => {
  it.each(LOOKUPS)('matches nothing: %s', async (_name, query, value) => {
    const read = async (text: string) => {
      const { data, errors } = await root.graphqlResult<{ found: unknown }>(
        `query($value: String!) { found: ${query} }`,
        { value: text },
      );
      if (errors !== undefined) expect(errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
      return JSON.stringify(data?.found ?? null).includes('"id"');
    };
    expect(await read(value())).toBe(true);
    for (const changed of [`${value()}\0`, `\0${value()}`, value().replace(/^../, '$&\0')]) {
      expect(await read(changed)).toBe(false);
    }
  });
});
