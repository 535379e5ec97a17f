import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalog } from '../../support/catalog.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { schemaSql } from '../../support/schema-diff.ts';

/** Objects that the Prisma schema cannot express. All others must be equal in both. */
const onlyInMigrations = [
  'index activity_review_log',
  'index file_without_hashes',
  'check abuse_report.abuse_report_decided_together',
  'check abuse_report.abuse_report_state_known',
  'check addon.addon_deleted_together',
  'check addon.addon_e10s_known',
  'check addon.addon_status_known',
  'check addon.addon_type_known',
  'check addon_author.addon_author_role_known',
  'check author_invitation.author_invitation_role_known',
  'check file.file_format_known',
  'check file.file_platform_known',
  'check file.file_signed_together',
  'check file.file_status_known',
  'check hero_entry.hero_entry_is_one',
  'check outgoing_mail.outgoing_mail_sent_together',
  'check outgoing_mail.outgoing_mail_state_known',
  'check rating.rating_held_together',
  'check rating.rating_hold_reason_known',
  'check rating.rating_latest_is_shown',
  'check rating.rating_score_known',
  'check rating.rating_scored_unless_reply',
  'check rating_flag.rating_flag_reason_known',
  'check rating_mean.rating_mean_one_row',
  'check search_index.search_index_state_known',
  'check stored_file_problem.stored_file_problem_known',
  'check upload.upload_channel_known',
  'check upload.upload_makes_addon_as_version',
  'check upload.upload_reason_is_one',
  'check upload.upload_reason_message_while_waiting',
  'check upload.upload_size_positive',
  'check upload.upload_stage_known',
  'check upload.upload_waits_or_is_version',
  'check version.version_channel_known',
  'check version.version_reason_is_one',
  'check version.version_stage_known',
  'check webhook.webhook_previous_together',
  'check webhook_delivery.webhook_delivery_finished_together',
  'check webhook_delivery.webhook_delivery_state_known',
  'index webhook_delivery_due',
  'function queue_webhook_deliveries',
  'trigger activity.queue_webhook_deliveries',
  'function advance_log_head',
  'function announce_service_state',
  'function announce_updates_of_addon',
  'function announce_updates_of_all',
  'function announce_updates_of_version',
  'function announce_updates_of_version_part',
  'function announce_upload_stage',
  'function announce_version_stage',
  'function complete_collection',
  'function delete_line_drafts',
  'function file_signed_once',
  'function forget_mails',
  'function keep_review_queue',
  'function list_collection_items',
  'function refuse_change',
  'function touch_rating_lists',
  'function utc_seconds',
  'index abuse_report_lower_guid',
  'index account_display_name',
  'index account_display_name_beginning',
  'index account_email_beginning',
  'index account_username_beginning',
  'index activity_abuse_history',
  'index activity_rating_decided',
  'index activity_rating_decisions',
  'index activity_abuse_replies',
  'index activity_account_disabled',
  'index activity_review_notes',
  'index addon_deleted',
  'index addon_lower_guid',
  'index compat_override_lower_guid',
  'index daily_statistics_imported_day',
  'index outgoing_mail_due',
  'index outgoing_mail_lower_address',
  'index rating_latest',
  'index rating_latest_text',
  'index rating_of_version',
  'index rating_hidden',
  'index rating_open',
  'index search_index_live',
  'index upload_expires',
  'index upload_sha256',
  'index upload_to_validate',
  'index upload_waiting_of_account',
  'index version_in_progress',
  'index version_reviewed',
  'index version_number_taken',
  'trigger account.delete_line_drafts',
  'trigger account.forget_mails',
  'trigger account.touch_rating_lists',
  'trigger activity.append_only',
  'trigger activity.append_only_truncate',
  'trigger audit_entry.advance_log_head',
  'trigger audit_entry.append_only',
  'trigger audit_entry.append_only_truncate',
  'trigger file.file_signed_once',
  'trigger log_checkpoint.append_only',
  'trigger log_checkpoint.append_only_truncate',
  'trigger service_state.announce_service_state',
  'trigger service_state.announce_service_state_removal',
  'trigger signing_certificate.advance_log_head',
  'trigger signing_certificate.append_only',
  'trigger signing_certificate.append_only_truncate',
  'table counted_check',
  'table current_addon_document',
  'table stored_file_use',
  'table version_document',
  'trigger addon.announce_updates_delete',
  'trigger addon.announce_updates_insert',
  'trigger addon.announce_updates_of_all',
  'trigger addon.announce_updates_update',
  'trigger collection.complete_collection',
  'trigger collection.list_collection_items',
  'trigger file.announce_updates',
  'trigger file.announce_updates_of_all',
  'trigger upload.announce_upload_removal',
  'trigger upload.announce_upload_stage',
  'trigger version.announce_updates_delete',
  'trigger version.announce_updates_insert',
  'trigger version.announce_updates_of_all',
  'trigger version.announce_updates_update',
  'trigger version.announce_version_stage',
  'trigger version.delete_line_drafts',
  'trigger version.enter_review_queue',
  'trigger version.keep_review_queue',
  'trigger version_compatibility.announce_updates',
  'trigger version_compatibility.announce_updates_of_all',
];

/** Tables of search and of counts, which only their own SQL reads and writes. */
const rawTables = ['addon_search', 'search_listing', 'search_facet', 'search_word', 'update_check'];
const belongsToRaw = (name: string) => {
  const [, object = ''] = name.split(' ');
  return rawTables.some(
    (table) => object === table || object.startsWith(`${table}.`) || object.startsWith(`${table}_`),
  );
};

const schemaFile = join(import.meta.dirname, '../../../prisma/schema.prisma');

describe('prisma/migrations and prisma/schema.prisma', () => {
  const databases: TestDatabase[] = [];
  let migrated: Map<string, string>;
  let declared: Map<string, string>;

  beforeAll(async () => {
    databases.push(await createTestDatabase(), await createEmptyDatabase());
    const [first, second] = databases.map(({ url }) => url) as [string, string];
    const client = new pg.Client({ connectionString: second });
    await client.connect();
    await client.query('create extension citext');
    await client.query(await schemaSql(null, await readFile(schemaFile, 'utf8')));
    await client.end();
    [migrated, declared] = await Promise.all([readCatalog(first), readCatalog(second)]);
  });
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  it('create the same tables, columns, keys and indexes', () => {
    const shared = [...declared.keys()].sort();
    const describeAll = (catalog: Map<string, string>) => shared.map((name) => `${name}: ${catalog.get(name) ?? '-'}`);
    expect(describeAll(migrated)).toEqual(describeAll(declared));
  });

  it('create the second table of search rows with the definition of the first', async () => {
    const [{ url }] = databases as [TestDatabase];
    const next = await readCatalog(url, 'search_next');
    const ofTable = [...migrated].filter(([name]) => /^\S+ addon_search(_(?!rev)|\.|$)/.test(name));
    const asFirst = [...next].map(([name, definition]) => [name, definition.replace('ON search_next.', 'ON public.')]);
    expect(Object.fromEntries(asFirst)).toEqual(Object.fromEntries(ofTable));
    expect((await readCatalog(url, 'search_previous')).size).toBe(0);
  });

  it('differ only by the listed objects', () => {
    const extra = [...migrated.keys()].filter((name) => !declared.has(name) && !belongsToRaw(name));
    expect(extra.sort()).toEqual(onlyInMigrations.toSorted());
  });
});
