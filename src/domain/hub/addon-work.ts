/* What the developers of an add-on see of its progress: the newest version of each channel, and what they have to do next. */
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import type { Channel } from '../../package/words.ts';
import type { MessageOrText } from '../../texts/messages.ts';
import type { Stage } from '../addons/stages.ts';
import { IS_PUBLIC_VERSION } from '../versions/find-version.ts';

/** What the developers of an add-on do next, in the order in which the first one that applies is chosen. */
const STEPS = [
  'contact-operator',
  'reply',
  'fix-package',
  'read-decision',
  'enable-addon',
  'wait-for-validation',
  'wait-for-signing',
  'wait-for-review',
  'submit-version',
  'enable-version',
  'nothing',
] as const;

export type Step = (typeof STEPS)[number];

/** Whether a step is for the developers, for the service and its reviewers, or for neither. */
export type WorkState = 'action' | 'waiting' | 'done';

export function workStateOf(step: Step): WorkState {
  if (step === 'nothing') return 'done';
  return step.startsWith('wait-') ? 'waiting' : 'action';
}

/** The newest version of a channel, failed ones included. */
export interface ChannelWork {
  channel: Channel;
  versionId: number;
  version: string;
  stage: Stage;
  /** A message of the service, or the words of a reviewer. */
  reason: MessageOrText | null;
  created: string;
  /** Of its upload; null for an imported version. */
  pk: string | null;
  /** The number of the newest version with public files; null without one. */
  available: string | null;
}

export interface AddonWork {
  id: number;
  slug: string | null;
  step: Step;
  /** The newest version of all channels; null without one. */
  newestId: number | null;
  newestPk: string | null;
  /** Listed first; a channel without versions is missing. */
  channels: ChannelWork[];
  /** Ids of the review notes with the requests for information that are open, by the channel of their version. */
  questions: { id: number; channel: Channel }[];
}

const IS_AVAILABLE = Prisma.raw(IS_PUBLIC_VERSION);

/** SQL: the newest version `n` of add-on `a`, of both channels. */
const NEWEST = Prisma.sql`LEFT JOIN LATERAL (
    SELECT v.id, v.stage, v.created, u.pk FROM version v LEFT JOIN upload u ON u.version_id = v.id
    WHERE v.addon_id = a.id AND v.deleted_at IS NULL ORDER BY v.created DESC, v.id DESC LIMIT 1
  ) n ON true`;

/** SQL: the step of add-on `a` with its newest version `n`. */
const STEP = Prisma.sql`CASE
    WHEN a.status = 'disabled' THEN 'contact-operator'
    WHEN EXISTS (SELECT FROM review_queue q WHERE q.addon_id = a.id AND q.is_information_requested) THEN 'reply'
    WHEN n.stage IN ('invalid', 'error') THEN 'fix-package'
    WHEN n.stage = 'rejected' OR (a.type = 'persona' AND a.status = 'rejected') THEN 'read-decision'
    WHEN a.is_disabled_by_developer THEN 'enable-addon'
    WHEN n.stage IN ('received', 'validating') THEN 'wait-for-validation'
    WHEN n.stage IN ('valid', 'signing') THEN 'wait-for-signing'
    WHEN n.stage = 'awaiting_review' OR (a.type = 'persona' AND a.status = 'pending') THEN 'wait-for-review'
    WHEN n.id IS NULL AND a.type <> 'persona' THEN 'submit-version'
    WHEN n.id IS NOT NULL AND NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND ${IS_AVAILABLE})
      THEN 'enable-version'
    ELSE 'nothing' END`;

const CHANNELS = Prisma.sql`(SELECT coalesce(json_agg(c ORDER BY c.channel), '[]') FROM (
    SELECT DISTINCT ON (v.channel) v.channel, v.id AS "versionId", v.version, v.stage, v.created, u.pk,
      coalesce(v.reason_message, to_jsonb(v.reason)) AS reason,
      (SELECT v.version FROM version v WHERE v.addon_id = a.id AND v.channel = w.channel AND ${IS_AVAILABLE}
        ORDER BY v.created DESC, v.id DESC LIMIT 1) AS available
    FROM (VALUES ('listed'), ('unlisted')) AS w(channel)
    JOIN version v ON v.addon_id = a.id AND v.channel = w.channel AND v.deleted_at IS NULL
    LEFT JOIN upload u ON u.version_id = v.id
    ORDER BY v.channel, v.created DESC, v.id DESC
  ) c)`;

const QUESTIONS = Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', r.id, 'channel', q.channel) ORDER BY r.id), '[]')
    FROM review_queue q CROSS JOIN LATERAL (
      SELECT r.id FROM activity r WHERE r.version_id = q.version_id AND r.action = 'more-information-requested'
      ORDER BY r.created DESC, r.id DESC LIMIT 1) r
    WHERE q.addon_id = a.id AND q.is_information_requested)`;

/** The progress of add-ons by id, in one statement; without access checks. Null for an unknown add-on. */
export const addonWork = perRequest<number, AddonWork | null>(async (ids) => {
  const rows = await db.$queryRaw<AddonWork[]>`
    SELECT a.id, a.slug::text, ${STEP} AS step, n.id AS "newestId", n.pk AS "newestPk", ${CHANNELS} AS channels,
      ${QUESTIONS} AS questions
    FROM addon a ${NEWEST} WHERE a.id = ANY(${[...ids]}::int[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
});

export type WorkSort = 'updated' | 'name' | 'users';

/** Order of a list of add-ons `a` with their newest version `n`; the name is that of the default language. */
const ORDERS = {
  updated: Prisma.sql`greatest(a.last_updated, n.created) DESC, a.id DESC`,
  name: Prisma.sql`lower(coalesce(a.name->>a.default_locale, a.guid::text)), a.id`,
  users: Prisma.sql`a.average_daily_users DESC, a.id DESC`,
} as const satisfies Record<WorkSort, Prisma.Sql>;

export interface WorkFilter {
  state: WorkState | null;
  sort: WorkSort;
}

/** The add-ons of an account, as their author, from `offset` on, and how many there are. */
export async function addonsOfAuthor(
  accountId: number,
  { state, sort }: WorkFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ ids: number[]; count: number }> {
  const steps = state === null ? [...STEPS] : STEPS.filter((step) => workStateOf(step) === state);
  const [row] = await db.$queryRaw<{ ids: number[]; count: number }[]>`
    WITH own AS (
      SELECT a.id, row_number() OVER (ORDER BY ${ORDERS[sort]}) AS place
      FROM addon_author w JOIN addon a ON a.id = w.addon_id ${NEWEST}
      WHERE w.account_id = ${accountId} AND a.deleted_at IS NULL AND ${STEP} = ANY(${steps}::text[]))
    SELECT (SELECT count(*)::int FROM own) AS count, coalesce((
      SELECT array_agg(id ORDER BY place) FROM own WHERE place > ${offset}::int8 AND place <= ${offset + limit}::int8
    ), '{}') AS ids`;
  return row ?? { ids: [], count: 0 };
}
