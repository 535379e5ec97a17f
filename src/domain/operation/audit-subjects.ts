/*
 * What auditors look for in the audit log: accounts and add-ons, by the names that pages show, because entries have ids. Deleted ones are found
 * by what their rows keep. A text takes two statements, one that is no unique name two more, and one that names nothing a search.
 */
import { requirePermission } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { AccountSummary, knownAccounts } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { addonsByKey, addonsByName, MAX_NAMED_ADDONS, type NamedAddon } from '../addons/named-addons.ts';
import { similarAddons } from '../search/similar-addons.ts';

/** The keys of details with the id of an account. */
export const ACCOUNT_KEYS = ['accountId', 'memberId', 'recipientId', 'writer'];

/** Accounts, and as many add-ons, that one text names at most. */
const MAX_SUBJECTS = MAX_NAMED_ADDONS;

interface Subjects {
  /** Ids of accounts. */
  accounts: readonly number[];
  addons: readonly NamedAddon[];
  /** Ids of public add-ons with a name like a text that names nothing. */
  similar: readonly number[];
}

/** What a text names. */
export const auditSubjects = perRequest<string, Subjects>((texts) => Promise.all(texts.map(subjectsOf)));

async function subjectsOf(text: string): Promise<Subjects> {
  const name = comparableText(text).trim();
  if (name === '') return { accounts: [], addons: [], similar: [] };
  const byKey = await namedByKey(name);
  const { accounts, addons } = byKey.accounts.length + byKey.addons.length > 0 ? byKey : await namedByName(name);
  const isKnown = accounts.length + addons.length > 0;
  const similar = isKnown ? [] : await similarAddons(name);
  return { accounts: accounts.map(({ id }) => id), addons, similar: similar.map(({ id }) => id) };
}

interface Named {
  accounts: readonly { id: number }[];
  addons: readonly NamedAddon[];
}

const accountsWhere = (condition: Prisma.Sql) =>
  db.$queryRaw<
    { id: number }[]
  >`SELECT id FROM account WHERE id > 0 AND ${condition} ORDER BY id LIMIT ${MAX_SUBJECTS}`;

async function both(accounts: Prisma.Sql, addons: Promise<readonly NamedAddon[]>): Promise<Named> {
  const found = await Promise.all([accountsWhere(accounts), addons]);
  return { accounts: found[0], addons: found[1] };
}

/** Accounts and add-ons with a number or a unique name, which have indexes. */
const namedByKey = (name: string): Promise<Named> =>
  both(Prisma.sql`(id = ${databaseId(name)}::int OR username = ${name}::text::citext)`, addonsByKey(name));

/** Those with a name that others may have, too. */
const namedByName = (name: string): Promise<Named> =>
  both(Prisma.sql`lower(display_name) = lower(${name})`, addonsByName(name));

/** SQL: whether the entry `e` is about one of these. Each kind of object has keys of its own, so that an id matches no other kind. */
export function aboutSubjects({ accounts, addons }: Subjects): Prisma.Sql {
  const ids = [
    ...accounts.flatMap((id) => ACCOUNT_KEYS.map((key) => ({ [key]: id }))),
    ...addons.map(({ id }) => ({ addonId: id })),
  ];
  if (ids.length === 0) return Prisma.sql`false`;
  // Entries about jobs have the ids in their payload, those about lists have all their ids.
  const parts = [
    ...ids,
    ...ids.map((payload) => ({ payload })),
    ...addons.flatMap(({ id, guid }) => [{ addons: [id] }, { guid }, { addonGuid: guid }, { guids: [guid] }]),
  ];
  return Prisma.sql`(e.details @> ANY (${parts.map((part) => JSON.stringify(part))}::text[]::jsonb[])
    OR e.details->'payload'->>'versionId' IN (SELECT v.id::text FROM version v WHERE v.addon_id = ANY (${addons.map(({ id }) => id)}::int[])))`;
}

const visibleAddons = async (context: Context, ids: readonly number[]) =>
  (await Promise.all(ids.map((id) => Addon.loadOrNull(context, id)))).filter((addon) => addon !== null);

const AuditSubjects = builder.objectRef<Subjects>('AuditSubjects').implement({
  description: 'The accounts and add-ons that a text names.',
  fields: (t) => ({
    isKnown: t.boolean({
      description: 'Whether it names any, also those that the viewer may not see.',
      resolve: ({ accounts, addons }) => accounts.length + addons.length > 0,
    }),
    accounts: t.field({
      type: [AccountSummary],
      description: 'The accounts, deleted ones included.',
      extensions: { items: MAX_SUBJECTS },
      resolve: ({ accounts }, _args, context) => knownAccounts(context, accounts),
    }),
    addons: t.field({
      type: [Addon],
      description: 'The add-ons that the viewer may see.',
      extensions: { items: MAX_SUBJECTS },
      resolve: ({ addons }, _args, context) =>
        visibleAddons(
          context,
          addons.map(({ id }) => id),
        ),
    }),
    similar: t.field({
      type: [Addon],
      description: 'Public add-ons with a similar name, if it names nothing.',
      extensions: { items: MAX_SUBJECTS },
      resolve: ({ similar }, _args, context) => visibleAddons(context, similar),
    }),
  }),
});

builder.queryField('auditSubjects', (t) =>
  t.field({
    type: AuditSubjects,
    description: 'What the condition `about` of `auditLog` selects. Requires Admin:Audit.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'Username, display name or id of an account, or slug, guid, name or id of an add-on, in any case.',
      }),
    },
    resolve: (_root, { text }, context) => {
      requirePermission(context.viewer, 'Admin:Audit');
      return auditSubjects(context).load(text);
    },
  }),
);
