/*
 * The facts from which the developer hub and the pages of an add-on derive what its developers do next (`next-step.ts`) and why the
 * catalogue does not show it (`visibility-reasons.ts`).
 */
import { IS_SEARCHABLE } from '../../auth/public-addon.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { NOT_A_VERSION, type Stage } from '../addons/stages.ts';
import { isUploaderDisabled, type StageReason } from '../signing/change-stage.ts';
import { HAS_PUBLIC_FILES, IS_PUBLIC_VERSION } from '../versions/find-version.ts';

/** A version that is not deleted, failed ones included. */
export interface HubVersionFacts {
  id: number;
  version: string;
  channel: Channel;
  stage: Stage;
  /** A message of the service, or the words of a reviewer. */
  reason: StageReason | null;
  created: string;
  /** Of its upload; null for an imported version. */
  pk: string | null;
  hasFile: boolean;
  /** Whether a file is disabled, by the developers or by a rejection or the operator. */
  isDisabledByDevelopers: boolean;
  isWithdrawn: boolean;
  /** Whether the account that uploaded it is disabled, which stops its signing. */
  isUploaderDisabled: boolean;
  isInformationRequested: boolean;
}

/** The newest version of a channel that is signed, and whose files are available. */
interface AvailableVersion {
  channel: Channel;
  id: number;
  version: string;
  /** Its first file; null for a persona. */
  file: { id: number; name: string } | null;
}

export interface HubAddonFacts {
  id: number;
  slug: string | null;
  type: string;
  status: string;
  statusBeforeDisabling: string | null;
  isDisabledByDeveloper: boolean;
  /** Whether the catalogue shows it. */
  isSearchable: boolean;
  /** Whether a listed version would be public if the add-on was. */
  hasPublicVersion: boolean;
  /** The newest ones of each channel, newest first. */
  versions: HubVersionFacts[];
  available: AvailableVersion[];
  /** Ids of the review notes with the requests for information that are open, by the channel of their version. */
  questions: { id: number; channel: Channel }[];
}

/** Versions that are read of each channel. All reasons come from the last attempts. */
const READ_VERSIONS = 20;

const IS_AVAILABLE = Prisma.raw(IS_PUBLIC_VERSION);

const CHANNELS = Prisma.sql`(VALUES ('listed'), ('unlisted')) AS w(channel)`;

const VERSIONS = Prisma.sql`(SELECT coalesce(json_agg(n ORDER BY n.created DESC, n.id DESC), '[]') FROM ${CHANNELS}
  CROSS JOIN LATERAL (
    SELECT v.id, v.version, v.channel, v.stage, v.created, u.pk,
      coalesce(v.reason_message, to_jsonb(v.reason)) AS reason, ${isUploaderDisabled} AS "isUploaderDisabled",
      f.any AS "hasFile", f.off AS "isDisabledByDevelopers", f.withdrawn AS "isWithdrawn",
      EXISTS (SELECT FROM review_queue q WHERE q.version_id = v.id AND q.is_information_requested) AS "isInformationRequested"
    FROM version v LEFT JOIN upload u ON u.version_id = v.id
    CROSS JOIN LATERAL (
      SELECT count(f.id) > 0 AS any, coalesce(bool_or(f.status_when_enabled IS NOT NULL), false) AS off,
        coalesce(bool_or(f.status = 5 AND f.status_when_enabled IS NULL), false) AS withdrawn
      FROM file f WHERE f.version_id = v.id) f
    WHERE v.addon_id = a.id AND v.deleted_at IS NULL AND v.channel = w.channel
    ORDER BY v.created DESC, v.id DESC LIMIT ${READ_VERSIONS}) n)`;

const AVAILABLE = Prisma.sql`(SELECT coalesce(json_agg(n), '[]') FROM ${CHANNELS} CROSS JOIN LATERAL (
    SELECT v.channel, v.id, v.version, (SELECT json_build_object('id', f.id, 'name', f.name) FROM file f
      WHERE f.version_id = v.id ORDER BY f.id LIMIT 1) AS file
    FROM version v WHERE v.addon_id = a.id AND v.channel = w.channel AND ${IS_AVAILABLE}
    ORDER BY v.created DESC, v.id DESC LIMIT 1) n)`;

const QUESTIONS = Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', r.id, 'channel', q.channel) ORDER BY r.id), '[]')
    FROM review_queue q CROSS JOIN LATERAL (
      SELECT r.id FROM activity r WHERE r.version_id = q.version_id AND r.action = 'more-information-requested'
      ORDER BY r.created DESC, r.id DESC LIMIT 1) r
    WHERE q.addon_id = a.id AND q.is_information_requested)`;

/** The facts of add-ons by id, in one statement; without access checks. Null for an unknown add-on. */
export const addonFacts = perRequest<number, HubAddonFacts | null>(async (ids) => {
  const rows = await db.$queryRaw<HubAddonFacts[]>`
    SELECT a.id, a.slug::text, a.type, a.status, a.status_before_disabling AS "statusBeforeDisabling",
      a.is_disabled_by_developer AS "isDisabledByDeveloper", ${Prisma.raw(IS_SEARCHABLE)} AS "isSearchable",
      EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND v.deleted_at IS NULL AND v.channel = 'listed'
        AND v.stage <> ALL(${NOT_A_VERSION}::text[]) AND ${Prisma.raw(HAS_PUBLIC_FILES)}) AS "hasPublicVersion",
      ${VERSIONS} AS versions, ${AVAILABLE} AS available, ${QUESTIONS} AS questions
    FROM addon a WHERE a.id = ANY(${[...ids]}::int[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
});

type WorkSort = 'updated' | 'name' | 'users';

/** Order of a list of add-ons `a` with their newest version `n`; the name is that of the default language. */
const ORDERS = {
  updated: Prisma.sql`greatest(a.last_updated, n.created) DESC, a.id DESC`,
  name: Prisma.sql`lower(coalesce(a.name->>a.default_locale, a.guid::text)), a.id`,
  users: Prisma.sql`a.average_daily_users DESC, a.id DESC`,
} as const satisfies Record<WorkSort, Prisma.Sql>;

/** The ids of the add-ons of an account, as their author, in this order. */
export async function addonsOfAuthor(accountId: number, sort: WorkSort): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id FROM addon_author w JOIN addon a ON a.id = w.addon_id
    LEFT JOIN LATERAL (SELECT max(v.created) AS created FROM version v WHERE v.addon_id = a.id AND v.deleted_at IS NULL) n ON true
    WHERE w.account_id = ${accountId} AND a.deleted_at IS NULL ORDER BY ${ORDERS[sort]}`;
  return rows.map(({ id }) => id);
}
