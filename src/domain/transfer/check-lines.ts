/*
 * Checks across lines: duplicates, references to missing rows, conflicts with the catalogue. Each check is one statement over all
 * lines of a kind and returns line and key, and code and parameters of the message.
 */

import type { BulkSession } from '../../infra/bulk-session.ts';
import type { Message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { FAILED_STAGES, stagesSql } from '../addons/stages.ts';
import { CURATED_CHECKS } from './curated-lines.ts';
import { duplicatesSql, matchesSql, RATING_CHECKS, unknownAccount, unknownAddon } from './line-checks.ts';
import type { BadLine } from './line-error.ts';
import type { LineKind } from './stage-line.ts';
import { ADDON_PARTS, type StagedTable } from './staging.ts';

/** The staging tables of each kind; the first has one row per line. */
export const STAGED_TABLES: Readonly<Record<LineKind, readonly [StagedTable, ...StagedTable[]]>> = {
  application_version: ['s_application_version'],
  category: ['s_category'],
  account: ['s_account'],
  addon: ['s_addon', ...ADDON_PARTS],
  featured: ['s_featured'],
  recommendation_fallback: ['s_fallback'],
  collection: ['s_collection'],
  account_collection: ['s_account_collection', 's_collection_item'],
  discovery: ['s_discovery', 's_discovery_entry'],
  hero: ['s_hero', 's_hero_entry'],
  browser_mapping: ['s_mapping'],
  replacement: ['s_replacement'],
  compat_override: ['s_override', 's_override_range'],
  rating: ['s_rating'],
  daily_statistics: ['s_statistics'],
};

const part = (list: string, key: string): string => `'addon.${list}[' || s.place || '].${key}'`;
const partKey = (list: string): string => `'addon.${list}[' || place || '].id'`;
const OF_FILE = `'addon.versions[' || s.version_place || '].files[' || s.place || ']`;

/**
 * A deleted account keeps no e-mail address and gets a random username. The creation time must match as well, since the id alone
 * could belong to another account.
 */
const IS_SAME_DELETED_ACCOUNT = `s.deleted AND s.email IS NULL AND s.username LIKE 'anonymous-%'
  AND s.created = date_trunc('second', a.created)`;

const CHECKS: Readonly<Record<LineKind, readonly string[]>> = {
  application_version: [duplicatesSql('s_application_version', `'application_version.version'`, 'app, version')],
  category: [
    duplicatesSql('s_category', `'category.id'`, 'id', 'id IS NOT NULL'),
    duplicatesSql('s_category', `'category.slug'`, 'app, type, slug'),
  ],
  account: [
    duplicatesSql('s_account', `'account.id'`, 'id', 'id IS NOT NULL'),
    duplicatesSql('s_account', `'account.username'`, 'username'),
    duplicatesSql('s_account', `'account.email'`, 'email', 'email IS NOT NULL'),
    matchesSql(
      's_account s JOIN account a ON a.id = s.id',
      `s.username <> a.username AND (s.email = a.email) IS NOT TRUE AND (${IS_SAME_DELETED_ACCOUNT}) IS NOT TRUE`,
      `'account.id'`,
      'line.other_account',
      { username: 'a.username' },
    ),
    matchesSql(
      's_account s JOIN account a ON a.username = s.username',
      'a.id < 0',
      `'account.username'`,
      'line.builtin_account',
      {},
    ),
    matchesSql(
      's_account s JOIN account a ON a.username = s.username',
      's.id <> a.id AND a.id > 0',
      `'account.username'`,
      'line.account_here',
      { id: 'a.id' },
    ),
    matchesSql(
      's_account s JOIN account a ON a.email = s.email',
      's.id IS DISTINCT FROM a.id AND s.username <> a.username',
      `'account.email'`,
      'line.other_email',
      { username: 'a.username' },
    ),
  ],
  addon: [
    duplicatesSql('s_addon', `'addon.id'`, 'id', 'id IS NOT NULL'),
    duplicatesSql('s_addon', `'addon.guid'`, 'guid'),
    duplicatesSql('s_addon', `'addon.slug'`, 'slug', 'slug IS NOT NULL'),
    matchesSql('s_addon s JOIN addon a ON a.id = s.id', 's.guid <> a.guid', `'addon.id'`, 'line.other_addon', {
      guid: 'a.guid',
    }),
    matchesSql('s_addon s JOIN addon a ON a.guid = s.guid', 's.id <> a.id', `'addon.guid'`, 'line.addon_here', {
      id: 'a.id',
    }),
    unknownAccount('s_author', 's.username', part('authors', 'username')),
    matchesSql(
      's_addon_category s JOIN s_addon a USING (line)',
      `NOT EXISTS (SELECT FROM category c WHERE c.app = s.app AND c.type = a.type AND c.slug = s.slug)
        AND NOT EXISTS (SELECT FROM s_category c WHERE c.app = s.app AND c.type = a.type AND c.slug = s.slug AND c.line < s.line)`,
      `'addon.categories.' || s.app || '[' || s.place || ']'`,
      'line.no_category_of_type',
      { category: 's.slug', app: 's.app', type: 'a.type' },
    ),
    duplicatesSql('s_version', partKey('versions'), 'id', 'id IS NOT NULL'),
    matchesSql(
      's_version s JOIN s_addon n USING (line) JOIN version v ON v.id = s.id JOIN addon a ON a.id = v.addon_id',
      'a.guid <> n.guid OR v.version <> s.version',
      part('versions', 'id'),
      'line.other_version',
      { version: 'v.version', guid: 'a.guid' },
    ),
    duplicatesSql('s_version', `'addon.versions[' || place || '].version'`, 'line, version', `stage <> 'rejected'`),
    matchesSql(
      `s_version s JOIN s_addon n USING (line) JOIN addon a ON a.guid = n.guid
        JOIN version v ON v.addon_id = a.id AND v.version = s.version AND v.stage NOT IN ${stagesSql(FAILED_STAGES)}
        LEFT JOIN s_version o ON o.line = s.line AND o.id = v.id`,
      `s.stage <> 'rejected' AND s.id IS DISTINCT FROM v.id AND (s.id IS NOT NULL OR o.id IS NOT NULL)
        AND (o.stage = 'rejected' AND v.stage <> 'signed') IS NOT TRUE`,
      part('versions', 'version'),
      'line.version_here',
      { id: 'v.id' },
    ),
    duplicatesSql(
      's_file',
      `'addon.versions[' || version_place || '].files[' || place || '].id'`,
      'id',
      'id IS NOT NULL',
    ),
    matchesSql(
      `s_file s JOIN s_version n ON n.line = s.line AND n.place = s.version_place JOIN s_addon d ON d.line = s.line
        JOIN file f ON f.id = s.id JOIN version v ON v.id = f.version_id JOIN addon a ON a.id = v.addon_id`,
      'a.guid <> d.guid OR v.version <> n.version',
      `${OF_FILE}.id'`,
      'line.other_file',
      { version: 'v.version', guid: 'a.guid' },
    ),
    matchesSql(
      's_file s JOIN file f ON f.id = s.id',
      'f.signed_sha256 IS NOT NULL AND f.sha256 <> s.sha256',
      `${OF_FILE}.hash'`,
      'line.signed_here',
      { sha256: 'f.sha256' },
    ),
    duplicatesSql('s_preview', partKey('previews'), 'id', 'id IS NOT NULL'),
    matchesSql(
      's_preview s JOIN s_addon n USING (line) JOIN preview p ON p.id = s.id JOIN addon a ON a.id = p.addon_id',
      'a.guid <> n.guid',
      part('previews', 'id'),
      'line.other_preview',
      { guid: 'a.guid' },
    ),
  ],
  featured: [
    unknownAddon('s_featured', 'featured.addon'),
    matchesSql(
      's_featured s',
      `s.category IS NOT NULL AND NOT EXISTS (SELECT FROM category c WHERE c.app = s.app AND c.slug = s.category)
        AND NOT EXISTS (SELECT FROM s_category c WHERE c.app = s.app AND c.slug = s.category AND c.line < s.line)`,
      `'featured.category'`,
      'line.no_category',
      { category: 's.category', app: 's.app' },
    ),
    duplicatesSql('s_featured', `'featured.addon'`, `guid, app, coalesce(locale, ''), coalesce(category, '')`),
  ],
  recommendation_fallback: [
    duplicatesSql('s_fallback', `'recommendation_fallback.guid'`, 'guid'),
    duplicatesSql('s_fallback', `'recommendation_fallback.position'`, 'position'),
  ],
  collection: [duplicatesSql('s_collection', `'collection.path'`, 'path')],
  account_collection: [
    duplicatesSql('s_account_collection', `'account_collection.uuid'`, 'lower(uuid)'),
    duplicatesSql('s_account_collection', `'account_collection.slug'`, 'account, slug'),
    duplicatesSql('s_collection_item', `'account_collection.addons[' || place || '].guid'`, 'line, guid'),
    unknownAccount('s_account_collection', 's.account', `'account_collection.account'`),
    matchesSql(
      's_account_collection s JOIN collection c ON c.uuid = s.uuid::uuid JOIN account a ON a.id = c.account_id',
      'a.username <> s.account',
      `'account_collection.uuid'`,
      'line.other_collection',
      { slug: 'c.slug' },
    ),
    matchesSql(
      's_account_collection s JOIN account a ON a.username = s.account JOIN collection c ON c.account_id = a.id AND c.slug = s.slug',
      'c.uuid <> s.uuid::uuid',
      `'account_collection.slug'`,
      'line.other_collection',
      { slug: 'c.slug' },
    ),
  ],
  ...CURATED_CHECKS,
  replacement: [duplicatesSql('s_replacement', `'replacement.guid'`, 'guid')],
  compat_override: [duplicatesSql('s_override', `'compat_override.addon_guid'`, 'guid')],
  rating: RATING_CHECKS,
  daily_statistics: [
    unknownAddon('s_statistics', 'daily_statistics.guid'),
    duplicatesSql('s_statistics', `'daily_statistics.date'`, 'guid, day'),
  ],
};

/** Checks that depend on other valid lines, such as a slug that another line releases. They run last and until no line is removed. */
const LAST_CHECKS: Partial<Record<LineKind, readonly string[]>> = {
  addon: [
    matchesSql(
      's_addon s JOIN addon a ON a.slug = s.slug',
      's.guid <> a.guid AND NOT EXISTS (SELECT FROM s_addon o WHERE o.guid = a.guid AND o.slug IS DISTINCT FROM a.slug)',
      `'addon.slug'`,
      'line.other_slug',
      { guid: 'a.guid' },
    ),
  ],
};

const UNKNOWN_GROUP = matchesSql(
  's_account s, unnest(s.groups) AS named',
  'NOT EXISTS (SELECT FROM permission_group g WHERE g.name = named)',
  `'account.groups'`,
  'line.no_group',
  { name: 'named' },
);

interface FoundLine extends Pick<Message, 'code'> {
  line: number;
  key: string;
  params: Readonly<Record<string, string>>;
}

/** Limit of reported lines per check. */
const MAX_REPORTED = 1_000;

/**
 * Returns the invalid lines of a kind, one problem each, in the order of the file. With `skip` they are removed from staging, so
 * that lines that refer to them are invalid too.
 */
export async function checkLines(
  session: BulkSession,
  kind: LineKind,
  { skip, createGroups }: { skip: boolean; createGroups: boolean },
): Promise<BadLine[]> {
  const bad = new Map<number, BadLine>();
  const run = async (check: string): Promise<number> => {
    const limit = skip ? '' : ` LIMIT ${MAX_REPORTED}`;
    const rows = await session.query<FoundLine>(`SELECT * FROM (${check}) AS bad ORDER BY line, key${limit}`);
    for (const { line, key, code, params } of rows) {
      const problem = {
        code,
        params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, printable(value)])),
      };
      if (!bad.has(line)) bad.set(line, { line, key, problem });
    }
    if (skip && rows.length > 0) await removeLines(session, kind, rows);
    return rows.length;
  };
  for (const check of CHECKS[kind]) await run(check);
  if (kind === 'account' && !createGroups) await run(UNKNOWN_GROUP);
  let removed: number;
  do {
    removed = 0;
    for (const check of LAST_CHECKS[kind] ?? []) removed += await run(check);
  } while (skip && removed > 0);
  return [...bad.values()].sort((one, other) => one.line - other.line);
}

async function removeLines(session: BulkSession, kind: LineKind, bad: readonly FoundLine[]): Promise<void> {
  const lines = [bad.map(({ line }) => line)];
  for (const table of STAGED_TABLES[kind])
    await session.query(`DELETE FROM ${table} WHERE line = ANY($1::int[])`, lines);
}
