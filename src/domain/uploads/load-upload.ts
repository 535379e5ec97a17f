import { randomBytes } from 'node:crypto';
import { db, Prisma } from '../../infra/db.ts';
import type { AddonType, Channel } from '../../package/enums.ts';
import type { ManifestTexts } from '../../package/manifest/package-manifest.ts';
import type { ValidationResults } from '../../package/validation/validation-results.ts';
import type { Stage } from '../addons/stages.ts';
import type { FileDocument } from '../addons/version-document.ts';
import { blockReason, type StageReason } from '../signing/change-stage.ts';

/** A new public identifier of an upload: 32 hex digits. */
export const newUploadPk = (): string => randomBytes(16).toString('hex');

/** An upload with the data of its status. In an event, `stage` may be older than that of the row. */
export interface UploadState {
  id: number;
  pk: string;
  accountId: number;
  /** Null until the validator has finished. */
  validation: ValidationResults | null;
  created: Date;
  updated: Date;
  /** When it is removed unless it is submitted; null once it is a version. */
  expires: Date | null;
  /** Of the add-on, or before the submission of the manifest, which may have none. */
  guid: string | null;
  /** Of the add-on, or before the submission of the package. */
  type: AddonType;
  /** The add-on that it was uploaded for; null without one. */
  targetAddonId: number | null;
  /** Texts of the package; null once it is submitted. */
  manifestTexts: { name: ManifestTexts; summary: ManifestTexts } | null;
  /** Language code of the texts of the package, as its manifest has it; null without one, and once it is submitted. */
  manifestLocale: string | null;
  /** Null until it is submitted. */
  addon: { id: number; authors: { accountId: number; role: string }[] } | null;
  /** Before the submission, the data of the package; `id` is null then. */
  version: {
    id: number | null;
    version: string;
    channel: Channel;
    stage: Stage;
    /** A message of the service, or the words of a reviewer. */
    reason: StageReason | null;
    /** What was deleted: the add-on and the version with it, or the version alone. */
    deleted: 'addon' | 'version' | null;
    files: FileDocument[];
  };
}

/** The upload with this database id or public identifier, or null. */
export async function loadUpload(where: { id: number } | { pk: string }): Promise<UploadState | null> {
  const condition = 'pk' in where ? Prisma.sql`u.pk = ${where.pk}` : Prisma.sql`u.id = ${where.id}`;
  return (await load(condition))[0] ?? null;
}

/**
 * The upload of the newest version with a number of an add-on, or with `pk` that one of its uploads; or null. The package may have
 * arrived before those of earlier versions, and waited for its submission.
 */
export async function loadUploadOf(addonId: number, version: string, pk: string | null): Promise<UploadState | null> {
  const condition = Prisma.sql`u.addon_id = ${addonId} AND v.version = ${version}
    AND (${pk}::text IS NULL OR u.pk = ${pk}::text) ORDER BY v.id DESC LIMIT 1`;
  return (await load(condition))[0] ?? null;
}

/** The uploads with these public identifiers, in the same order; null for unknown ones. */
export async function loadUploads(pks: readonly string[]): Promise<(UploadState | null)[]> {
  const uploads = await load(Prisma.sql`u.pk = ANY(${pks}::text[])`);
  return pks.map((pk) => uploads.find((upload) => upload.pk === pk) ?? null);
}

/** SQL: whether an upload is submitted or not, by `submitted`; with null any. */
const isSubmitted = (submitted: boolean | null): Prisma.Sql =>
  submitted === null ? Prisma.empty : Prisma.sql`AND version_id IS ${Prisma.raw(submitted ? 'NOT NULL' : 'NULL')}`;

/** One page of the uploads of each account. `page` ends a statement on `upload`, as `keysetClause` does. */
export async function loadUploadsOfAccounts(
  accountIds: readonly number[],
  { submitted, page, isAscending }: { submitted: boolean | null; page: Prisma.Sql; isAscending: boolean },
): Promise<(UploadState & { parentId: number })[]> {
  const uploads = await load(Prisma.sql`u.id IN (
    SELECT found.id FROM unnest(${accountIds}::int[]) AS wanted(account_id)
    CROSS JOIN LATERAL (SELECT id FROM upload WHERE account_id = wanted.account_id ${isSubmitted(submitted)} ${page}) found
  ) ORDER BY u.id ${Prisma.raw(isAscending ? 'ASC' : 'DESC')}`);
  return uploads.map((upload) => ({ ...upload, parentId: upload.accountId }));
}

/** One page of the uploads of each add-on, as `loadUploadsOfAccounts` has it. Those of deleted versions are left out. */
export async function loadUploadsOfAddons(
  addonIds: readonly number[],
  page: Prisma.Sql,
  isAscending: boolean,
): Promise<(UploadState & { parentId: number })[]> {
  const uploads = await load(Prisma.sql`u.id IN (
    SELECT found.id FROM unnest(${addonIds}::int[]) AS wanted(addon_id)
    CROSS JOIN LATERAL (SELECT u.id ${OF_WANTED_ADDON} ${page}) found
  ) ORDER BY u.id ${Prisma.raw(isAscending ? 'ASC' : 'DESC')}`);
  return uploads.flatMap((upload) => (upload.addon === null ? [] : [{ ...upload, parentId: upload.addon.id }]));
}

const OF_WANTED_ADDON = Prisma.sql`FROM upload u JOIN version v ON v.id = u.version_id
  WHERE u.addon_id = wanted.addon_id AND v.deleted_at IS NULL`;

/** How many uploads each add-on has, in the same order; without those of deleted versions. */
export async function countUploadsOfAddons(addonIds: readonly number[]): Promise<number[]> {
  const rows = await db.$queryRaw<{ count: number }[]>`
    SELECT (SELECT count(*)::int ${OF_WANTED_ADDON}) AS count
    FROM unnest(${addonIds}::int[]) WITH ORDINALITY AS wanted(addon_id, place) ORDER BY place`;
  return rows.map(({ count }) => count);
}

/** The uploads of an account from `offset` on, newest first; `submitted` as `isSubmitted` takes it. */
export function loadUploadsAt(
  accountId: number,
  submitted: boolean | null,
  offset: number,
  limit: number,
): Promise<UploadState[]> {
  return load(Prisma.sql`u.id IN (
    SELECT id FROM upload WHERE account_id = ${accountId} ${isSubmitted(submitted)} ORDER BY id DESC LIMIT ${limit}::int OFFSET ${offset}::int8
  ) ORDER BY u.id DESC`);
}

/** One statement, so that stage and files come from one snapshot: a signed file is never shown as inactive. */
function load(condition: Prisma.Sql): Promise<UploadState[]> {
  return db.$queryRaw<UploadState[]>`
    SELECT u.id, u.pk, u.account_id AS "accountId", u.validation, u.created, u.updated, u.expires,
      coalesce(a.guid::text, u.manifest->>'guid') AS guid, coalesce(a.type, u.manifest->>'type') AS type,
      u.manifest->>'defaultLocale' AS "manifestLocale", u.target_addon_id AS "targetAddonId",
      CASE WHEN u.manifest IS NOT NULL THEN
        json_build_object('name', coalesce(u.manifest->'name', '{}'), 'summary', coalesce(u.manifest->'summary', '{}')) END AS "manifestTexts",
      CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'authors', (
        SELECT coalesce(json_agg(json_build_object('accountId', account_id, 'role', role)), '[]')
        FROM addon_author WHERE addon_id = a.id)) END AS addon,
      json_build_object('id', v.id, 'version', coalesce(v.version, u.manifest->>'version'),
        'channel', coalesce(v.channel, u.channel), 'stage', coalesce(v.stage, u.stage),
        'reason', CASE WHEN v.stage IN ('valid', 'signing') THEN ${blockReason}
          ELSE coalesce(v.reason_message, to_jsonb(v.reason), u.reason_message, to_jsonb(u.reason)) END,
        'deleted', CASE WHEN a.deleted_at IS NOT NULL AND coalesce(v.deleted_at = a.deleted_at, true) THEN 'addon'
          WHEN v.deleted_at IS NOT NULL THEN 'version' END,
        'files', coalesce((SELECT body->'files' FROM version_document WHERE version_id = v.id), '[]')) AS version
    FROM upload u LEFT JOIN addon a ON a.id = u.addon_id LEFT JOIN version v ON v.id = u.version_id
    WHERE ${condition}`;
}
