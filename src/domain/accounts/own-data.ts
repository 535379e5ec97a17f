/* What the service stores about an account, for that account alone: a list of parts, each of which reads one table. */
import { requireRecentSignIn } from '../../auth/recent-sign-in.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { db, Prisma } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';

/** Rows of one page. */
const PAGE_ROWS = 500;

/** Rows of one part; those above are left out, and the part is named as truncated. */
const MAX_ROWS = 100_000;

interface Part {
  name: string;
  table: string;
  /** The column that names the account. */
  account: string;
  /** The columns to show: without secrets, their hashes, and what is about other people. */
  columns: string;
  /** A number that orders the rows of an account. */
  key: string;
  /** Further tables of the columns. */
  join?: string;
}

/** All texts are constants of this file, as they become SQL. */
export const OWN_DATA_PARTS: readonly Part[] = [
  {
    ...{ name: 'profile', table: 'account', account: 'account.id', key: 'account.id' },
    columns: `id, username, display_name, email, biography, homepage, location, occupation, picture_sha256, is_verified,
      has_chosen_username, read_dev_agreement, last_login, last_login_ip, locale, disabled_at, created, modified`,
  },
  {
    ...{ name: 'identities', table: 'account_identity', account: 'account_id', key: 'id' },
    columns: 'issuer, subject, email, created, last_used',
  },
  {
    ...{ name: 'groups', table: 'group_member', account: 'account_id', key: 'group_id' },
    columns: 'name, rules, group_member.created',
    join: 'JOIN permission_group ON permission_group.id = group_id',
  },
  {
    ...{ name: 'notification_settings', table: 'notification_setting', account: 'account_id' },
    // At most one page.
    key: '1',
    columns: 'name, enabled',
  },
  {
    ...{ name: 'sessions', table: 'access_token', account: 'account_id', key: 'id' },
    columns: 'label, created, expires, revoked_at, last_used',
  },
  {
    ...{ name: 'api_keys', table: 'api_key', account: 'account_id', key: 'id' },
    columns: 'id, key, label, addon_id, provenance, created, expires, revoked_at, last_used',
  },
  {
    ...{ name: 'trusted_publishers', table: 'trusted_publisher', account: 'account_id', key: 'id' },
    columns: 'addon_id, issuer, subject, audience, created, last_used',
  },
  {
    ...{ name: 'update_addresses', table: 'update_address', account: 'account_id', key: 'id' },
    columns: 'guid, addon_id, created, ended',
  },
  {
    ...{ name: 'addons', table: 'addon_author', account: 'account_id', key: 'addon_id' },
    columns: 'addon_id, guid, slug, addon_author.role, addon_author.listed',
    join: 'JOIN addon ON addon.id = addon_id',
  },
  {
    ...{ name: 'invitations', table: 'author_invitation', account: 'account_id', key: 'id' },
    columns: 'addon_id, role, listed, created, expires',
  },
  {
    ...{ name: 'invitations_sent', table: 'author_invitation', account: 'invited_by', key: 'id' },
    columns: 'addon_id, role, listed, created, expires',
  },
  {
    ...{ name: 'uploads_and_versions', table: 'upload', account: 'account_id', key: 'upload.id' },
    columns: `pk, upload.addon_id, version_id, version.version, upload.file_name, api_key_id, upload.created, upload.expires`,
    join: 'LEFT JOIN version ON version.id = version_id',
  },
  {
    ...{ name: 'activity_and_notes', table: 'activity', account: 'account_id', key: 'id' },
    columns: 'id, action, addon_id, version_id, comments, created',
  },
  {
    ...{ name: 'line_comments', table: 'line_comment', account: 'account_id', key: 'id' },
    columns: 'id, version_id, path, line, text, created',
  },
  {
    ...{ name: 'claimed_reviews', table: 'review_queue', account: 'claimed_by', key: 'version_id' },
    columns: 'version_id, addon_id, claimed_until',
  },
  {
    ...{ name: 'review_subscriptions', table: 'review_subscription', account: 'account_id', key: 'addon_id' },
    columns: 'addon_id, created, mailed_until',
  },
  {
    ...{ name: 'collections', table: 'collection', account: 'account_id', key: 'id' },
    columns: `uuid, slug, name, description, default_locale, is_public, created, modified, (
      SELECT json_agg(json_build_object('guid', guid, 'notes', notes, 'added', added) ORDER BY position)
      FROM collection_item WHERE collection_id = collection.id) AS addons`,
  },
  {
    ...{ name: 'ratings_and_replies', table: 'rating', account: 'account_id', key: 'id' },
    columns: 'id, addon_id, version_id, reply_to, score, body, created, modified, deleted_at, held_at',
  },
  {
    ...{ name: 'rating_flags', table: 'rating_flag', account: 'account_id', key: 'id' },
    columns: 'rating_id, reason, note, created',
  },
  {
    ...{ name: 'reports_sent', table: 'abuse_report', account: 'reporter_id', key: 'id' },
    columns: 'id, addon_guid, addon_id, message, details, ip_address, created, state',
  },
  {
    ...{ name: 'reports_decided', table: 'abuse_report', account: 'decided_by', key: 'id' },
    columns: 'id, state, note, decided',
  },
  {
    ...{ name: 'mails', table: 'outgoing_mail', account: 'account_id', key: 'id' },
    columns: 'id, address, subject, notification, state, created, sent',
  },
  {
    ...{ name: 'reply_addresses', table: 'reply_address', account: 'account_id', key: 'id' },
    columns: 'version_id, use_count, created',
  },
  {
    // The actor of an account is `account <id> (<username>)`, with the username of that time.
    ...{ name: 'audit_entries', table: 'audit_entry', account: "substring(actor from '^account ([0-9]+) \\(')::int" },
    ...{ key: 'id', columns: 'id, actor, action, created' },
  },
];

interface OwnDataPage {
  part: string;
  rows: unknown[];
  isTruncated: boolean;
  next: string | null;
}

/** Where a page begins: a part, the key before its first row, and how many rows of the part came before. */
interface Position {
  part: number;
  after: bigint;
  count: number;
}

/** @throws {InvalidInputError} for a text that is no cursor. */
function positionOf(cursor: string | null): Position {
  if (cursor === null) return { part: 0, after: 0n, count: 0 };
  const [, part, after, count] = /^(\d{1,3}):(\d{1,18}):(\d{1,9})$/.exec(cursor) ?? [];
  const position = { part: Number(part), after: BigInt(after ?? 0), count: Number(count) };
  if (part === undefined || OWN_DATA_PARTS[position.part] === undefined)
    throw refusedField('after', message('page.cursor_of_other_list', { name: 'after' }));
  return position;
}

async function readPage(accountId: number, { part, after, count }: Position): Promise<OwnDataPage> {
  const { name, table, account, columns, key, join = '' } = OWN_DATA_PARTS[part] as Part;
  const raw = Prisma.raw;
  const found = await db.$queryRaw<{ key: bigint; row: { row_key: unknown } }[]>`
    SELECT s.row_key AS key, to_json(s) AS row FROM (
      SELECT (${raw(key)})::bigint AS row_key, ${raw(columns)} FROM ${raw(`${table} ${join}`)}
      WHERE ${raw(account)} = ${accountId} AND ${raw(key)} > ${after} ORDER BY row_key LIMIT ${PAGE_ROWS}
    ) s ORDER BY s.row_key`;
  const rows = found.map(({ row: { row_key, ...row } }) => row);
  const total = count + rows.length;
  const hasMore = rows.length === PAGE_ROWS;
  const isTruncated = hasMore && total >= MAX_ROWS;
  const following = part + 1 < OWN_DATA_PARTS.length ? `${part + 1}:0:0` : null;
  const next = hasMore && !isTruncated ? `${part}:${found.at(-1)?.key}:${total}` : following;
  return { part: name, rows, isTruncated, next };
}

const OwnDataPageType = builder.objectRef<OwnDataPage>('OwnDataPage').implement({
  description: 'At most 500 rows of one part of what the service stores about the account of the viewer.',
  fields: (t) => ({
    part: t.exposeString('part', { description: 'What the rows are.' }),
    rows: t.field({ type: 'JSON', description: 'The rows, without secrets.', resolve: ({ rows }) => rows }),
    isTruncated: t.exposeBoolean('isTruncated', {
      description: 'Whether the part ends here although there are more rows: it has 100,000.',
    }),
    next: t.exposeString('next', { nullable: true, description: 'Cursor of the next page; null for the last one.' }),
  }),
});

builder.queryField('ownData', (t) =>
  t.field({
    type: OwnDataPageType,
    description: 'What the service stores about the account of the viewer, part by part. Requires a recent sign-in.',
    args: { after: t.arg.string({ description: 'Cursor of the page.' }) },
    resolve: (_root, { after }, { viewer }) =>
      readPage(requireRecentSignIn(viewer).accountId, positionOf(after ?? null)),
  }),
);
