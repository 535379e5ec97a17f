/*
 * Abuse reports, and the add-ons and accounts that they are about, by state. There is no list of reports, decision or claim in REST; a
 * report is not claimed at all.
 */
import { accountReference, addonReference } from '../../../src/graphql/references.ts';
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon, type MadeAddon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { ADDRESS, holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import {
  fieldRow,
  listRow,
  mutationOf,
  mutationRow,
  nodeRow,
  refused,
  type StateAction,
  type StateRule,
  type StateTable,
} from './state-table.ts';

interface Report {
  id: string;
  state: string;
}

interface ReportFacts {
  exists: boolean;
}

type ReportRule = StateRule<ReportFacts, PersonRole>;

const readReport: ReportRule = ({ exists }, role) => (exists && holds(role, 'AbuseReports:Edit') ? 200 : 404);
const changeReport: ReportRule = ({ exists }, role) =>
  !holds(role, 'AbuseReports:Edit') ? refused(role) : exists ? 200 : 404;

interface ReportWorld {
  ids: Record<PersonRole, number>;
  accounts: Awaited<ReturnType<typeof makeAccounts>>;
  disabledAddon: MadeAddon;
  deletedAddon: MadeAddon;
}

const decided = ({ ids }: ReportWorld) => ({ decidedBy: ids.moderator, decided: new Date() });
const about = ({ guid, id }: MadeAddon) => ({ addonGuid: guid, addonId: id });

/** The columns of each report. Reporter, target and decision change no right. */
const REPORTS: Record<string, (world: ReportWorld) => object> = {
  anonymous: () => ({}),
  ofParty: ({ ids }) => ({ reporterId: ids.party }),
  ofDeletedAccount: ({ accounts }) => ({ reporterId: accounts.deleted }),
  ofDisabledAccount: ({ accounts }) => ({ reporterId: accounts.disabled }),
  ofModerator: ({ ids }) => ({ reporterId: ids.moderator }),
  valid: (world) => ({ state: 'valid', ...decided(world) }),
  dismissed: (world) => ({ state: 'dismissed', ...decided(world), reporterId: world.ids.party }),
  duplicate: (world) => ({ state: 'duplicate', ...decided(world) }),
  decidedByDeletedAccount: (world) => ({ state: 'valid', ...decided(world), decidedBy: world.accounts.deleted }),
  reopened: () => ({ note: 'Once more.' }),
  aboutUnknownAddon: () => ({ addonGuid: 'unknown@example' }),
  aboutDisabledAddon: ({ disabledAddon }) => about(disabledAddon),
  aboutDeletedAddon: ({ deletedAddon }) => about(deletedAddon),
  aboutDisabledAccount: ({ accounts }) => ({ accountId: accounts.disabled }),
  aboutDeletedAccount: ({ accounts }) => ({ accountId: accounts.deleted }),
  aboutModerator: ({ ids }) => ({ accountId: ids.moderator }),
  aboutParty: ({ ids }) => ({ accountId: ids.party, reporterId: ids.moderator }),
  unknown: () => ({}),
};

const REPORT_STATES = Object.fromEntries(Object.keys(REPORTS).map((name) => [name, { exists: name !== 'unknown' }]));

async function makeReports(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, Report>> {
  const accounts = await makeAccounts(app);
  const [disabledAddon, deletedAddon] = [await addon({ status: 'disabled' }), await addon(DELETED)];
  const { db } = await import('../../../src/infra/db.ts');
  const reports: Record<string, Report> = {};
  for (const [name, columnsOf] of Object.entries(REPORTS)) {
    const columns = columnsOf({ ids, accounts, disabledAddon, deletedAddon });
    const data = { message: 'x', ...('accountId' in columns ? {} : { addonGuid: 'x@example' }), ...columns };
    const { id, state } = await db.abuseReport.create({ data });
    if (name === 'unknown') await db.abuseReport.delete({ where: { id } });
    reports[name] = { id: globalId('AbuseReport', id), state: state.toUpperCase() };
  }
  return reports;
}

const REPORT_FIELDS = '{ nodes { id decidedBy { username } user { url } addon { addon { id } } } }';

export const REPORT_TABLE: StateTable<ReportFacts, PersonRole, Report> = {
  kind: 'an abuse report',
  ...{ roles: PEOPLE_RULES, states: REPORT_STATES, make: makeReports },
  actions: [
    nodeRow('AbuseReport', readReport),
    fieldRow('AbuseReport.replies', readReport, ({ id }) => id, 'replies { totalCount nodes { text } }'),
    fieldRow('AbuseReport.history', readReport, ({ id }) => id, 'history { totalCount nodes { stateAfter } }'),
    listRow('abuseReports', changeReport, REPORT_FIELDS, { first: 50 }),
    mutationRow('replyToAbuseReport', changeReport, ({ id }) => ({ id, text: 'Thank you.' })),
    mutationRow('decideAbuseReport', changeReport, ({ id, state }) => ({ id, state })),
  ],
};

const DELETED: AddonFacts = { status: 'deleted', slug: null, deletedAt: new Date('2020-01-01T00:00:00Z') };

async function makeAccounts(app: TestApp) {
  const [deleted, disabled, withoutAddons, author] = await app.sql<{ id: number }>(
    `INSERT INTO account (username, deleted_at, disabled_at) SELECT 'reported-' || gen_random_uuid(), deleted, disabled
     FROM (VALUES (now(), NULL), (NULL, now()), (NULL, NULL), (NULL, NULL)) AS state (deleted, disabled) RETURNING id`,
  );
  return {
    ...{ deleted: deleted?.id ?? 0, disabled: disabled?.id ?? 0 },
    ...{ withoutAddons: withoutAddons?.id ?? 0, author: author?.id ?? 0 },
  };
}

/** What a report names, and who sees what the response says about it. */
interface TargetFacts {
  kind: 'addon' | 'user';
  /** Whether it can be reported: everything but what is unknown or deleted (docs/decisions.md D110). */
  isFound: boolean;
  /** Who sees the add-on, or the address of the profile page (docs/decisions.md D109). */
  sees: readonly PersonRole[];
}

interface ReportTarget {
  ref: string;
}

const EVERYONE = Object.keys(PEOPLE_RULES) as PersonRole[];
const ADMINS: readonly PersonRole[] = ['accountAdmin', 'registrar', 'everyEdit', 'root'];
const HIDDEN: readonly PersonRole[] = ['party', 'editor', 'reviewer', 'everyEdit', 'root'];

const addonTarget = (sees: readonly PersonRole[], isFound = true): TargetFacts => ({ kind: 'addon', isFound, sees });
const accountTarget = (sees: readonly PersonRole[], isFound = true): TargetFacts => ({ kind: 'user', isFound, sees });

const TARGET_STATES = {
  publicById: addonTarget(EVERYONE),
  publicBySlug: addonTarget(EVERYONE),
  publicByGuid: addonTarget(EVERYONE),
  disabledByOperator: addonTarget(HIDDEN),
  disabledByDevelopers: addonTarget(HIDDEN),
  waiting: addonTarget(HIDDEN),
  unlisted: addonTarget(['party', 'editor', 'everyEdit', 'root']),
  deletedByGuid: addonTarget(['root']),
  deletedById: addonTarget([], false),
  unknownGuid: addonTarget([]),
  unknownId: addonTarget([], false),
  author: accountTarget(EVERYONE),
  withoutAddons: accountTarget(ADMINS),
  ownByUsername: accountTarget(['party', ...ADMINS]),
  disabledAccount: accountTarget(ADMINS),
  deletedAccount: accountTarget([], false),
  unknownAccount: accountTarget([], false),
} as const satisfies Record<string, TargetFacts>;

type TargetRule = StateRule<TargetFacts, PersonRole>;

const reported: TargetRule = ({ isFound }) => (isFound ? 200 : 404);
const shown: TargetRule = ({ isFound, sees }, role) => (isFound && sees.includes(role) ? 200 : 404);

async function makeTargets(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, ReportTarget>> {
  const accounts = await makeAccounts(app);
  const of = (ref: string | number): ReportTarget => ({ ref: String(ref) });
  const make = (facts: AddonFacts) => addon({ authors: [ids.party], ...facts });
  const known = await make({ authors: [accounts.author] });
  const deleted = await make(DELETED);
  return {
    ...{ publicById: of(known.id), publicBySlug: of(known.slug), publicByGuid: of(known.guid) },
    disabledByOperator: of((await make({ status: 'disabled' })).id),
    disabledByDevelopers: of((await make({ isDisabledByDeveloper: true })).id),
    waiting: of((await make({ status: 'nominated', versions: [{ stage: 'awaiting_review', reviewed: null }] })).id),
    unlisted: of((await make({ status: 'incomplete', versions: [{ channel: 'unlisted' }] })).id),
    ...{ deletedByGuid: of(deleted.guid), deletedById: of(deleted.id) },
    ...{ unknownGuid: of('nobody@example'), unknownId: of(2_000_000_000) },
    ...{ author: of(accounts.author), withoutAddons: of(accounts.withoutAddons) },
    ...{ ownByUsername: of('PARTY'), disabledAccount: of(accounts.disabled) },
    ...{ deletedAccount: of(accounts.deleted), unknownAccount: of(2_000_000_000) },
  };
}

const bodyOf = (kind: 'addon' | 'user') => (target: ReportTarget) => ({
  values: new Map([
    [kind, target.ref],
    ['message', 'x'],
  ]),
  ...{ isForm: false, file: null },
});

const FOR_MODERATORS = ['decided', 'decidedBy', 'note', 'reporterAddress', 'targetState'].map(
  (name) => `AbuseReport.${name}`,
);

function reporting(kind: 'addon' | 'user'): StateAction<TargetFacts, PersonRole, ReportTarget>[] {
  const name = kind === 'addon' ? 'reportAddon' : 'reportAccount';
  const payload = kind === 'addon' ? 'ReportAddonPayload' : 'ReportAccountPayload';
  const route = `POST /abuse/report/${kind}/`;
  const rest = { body: bodyOf(kind) };
  const reportWith = (selection: string) =>
    mutationOf<ReportTarget>(
      name,
      ({ ref }) => ({
        ...(kind === 'addon' ? { addon: addonReference(ref) } : { account: accountReference(ref) }),
        message: 'x',
      }),
      `... on ${payload} { report { ${selection} } }`,
    );
  const states = (facts: TargetFacts) => facts.kind === kind;
  const withPage = `${route}, with the address of the page`;
  return [
    { name: route, rule: reported, states, rest },
    {
      ...{ name, rule: reported, states, graphql: reportWith('id'), sameAs: [route] },
    },
    {
      ...{ name: `${name}, with what moderators see`, covers: FOR_MODERATORS, states },
      rule: (facts, role) => (reported(facts, role) === 200 && holds(role, 'AbuseReports:Edit') ? 200 : 404),
      graphql: {
        ...reportWith('decided decidedBy { username } note reporterAddress targetState'),
        isShown: (value) => JSON.stringify(value).includes(ADDRESS),
      },
    },
    ...(kind === 'user'
      ? [
          {
            ...{ name: withPage, rule: shown, states },
            rest: { ...rest, isShown: (json: unknown) => (json as { user: { url: unknown } }).user.url !== null },
          },
        ]
      : []),
    {
      ...{ name: `${name}, with what the viewer may see`, rule: shown, states },
      covers: kind === 'addon' ? ['ReportedAddon.addon'] : ['AccountSummary.url', 'AbuseReport.account'],
      graphql: {
        ...reportWith(
          kind === 'addon' ? 'addon { shown: addon { id } }' : 'user { shown: url } account { shown: url }',
        ),
        isShown: (value) => !JSON.stringify(value).includes('"shown":null'),
      },
      sameAs: kind === 'user' ? [withPage] : [],
    },
  ];
}

export const REPORT_TARGET_TABLE: StateTable<TargetFacts, PersonRole, ReportTarget> = {
  kind: 'what is reported',
  ...{ roles: PEOPLE_RULES, states: TARGET_STATES, make: makeTargets },
  actions: [...reporting('addon'), ...reporting('user')],
};
