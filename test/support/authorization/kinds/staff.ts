/* What moderators and administrators work with. REST has only the requests that report something. */
import { accountReference, addonReference } from '../../../../src/graphql/references.ts';
import { type AddonFacts, addon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import {
  type Act,
  ADDRESS,
  DELETED,
  DISABLED,
  isTrue,
  kind,
  LATER,
  type Made,
  type Tools,
  UNKNOWN,
  UNLISTED,
  unknownId,
  WAITING,
} from '../kinds.ts';
import type { Role } from '../roles.ts';

type Columns = Readonly<Record<string, unknown>>;

interface Report extends Made {
  state: string;
}

const decided = (state: string) => async (tools: Tools) => ({
  ...{ state, decided_by: tools.idOf('moderator'), decided: new Date() },
});
const by = (who: Parameters<Tools['person']>[0]) => async (tools: Tools) => ({ reporter_id: await tools.person(who) });
const aboutAccount = (who: Parameters<Tools['person']>[0]) => async (tools: Tools) => ({
  ...{ account_id: await tools.person(who), addon_guid: null },
});
const aboutAddon = (facts: AddonFacts) => async () => {
  const { guid, id } = await addon(facts);
  return { addon_guid: guid, addon_id: id };
};

/** The columns of a report by the party about a rating of an add-on of the author. */
const aboutRating = (writer: Parameters<Tools['person']>[0], author: Role) => async (tools: Tools) => {
  const { id } = await addon({ authors: [tools.idOf(author)] });
  const account_id = await tools.person(writer);
  const rating_id = await tools.insert('rating', { addon_id: id, account_id, score: 1, body: 'x' });
  return { ...(await by('party')(tools)), account_id, rating_id, addon_guid: null };
};
/** The columns of a report by the party about an add-on of the moderator. */
const aboutAddonOfModerator = (isKnown: boolean) => async (tools: Tools) => {
  const { id, guid } = await addon({ authors: [tools.idOf('moderator')] });
  return { ...(await by('party')(tools)), addon_guid: guid.toUpperCase(), addon_id: isKnown ? id : null };
};

/** The columns of each report. State and decision change no right. */
export const REPORT = kind<((tools: Tools) => Promise<Columns>) | null, Report>({
  kind: 'an abuse report',
  states: {
    anonymous: async () => ({}),
    ofParty: by('party'),
    ofDeletedAccount: by('deleted'),
    ofDisabledAccount: by('disabled'),
    ofModerator: by('moderator'),
    valid: decided('valid'),
    dismissed: async (tools) => ({ ...(await decided('dismissed')(tools)), reporter_id: tools.idOf('party') }),
    duplicate: decided('duplicate'),
    decidedByDeletedAccount: async (tools) => ({
      ...(await decided('valid')(tools)),
      decided_by: await tools.person('deleted'),
    }),
    reopened: async () => ({ note: 'Once more.' }),
    aboutUnknownAddon: async () => ({ addon_guid: 'unknown@example' }),
    aboutDisabledAddon: aboutAddon(DISABLED),
    aboutDeletedAddon: aboutAddon(DELETED),
    aboutDisabledAccount: aboutAccount('disabled'),
    aboutDeletedAccount: aboutAccount('deleted'),
    aboutModerator: async (tools) => ({ ...(await aboutAccount('moderator')(tools)), ...(await by('party')(tools)) }),
    aboutAddonOfModerator: aboutAddonOfModerator(true),
    aboutGuidOfModerator: aboutAddonOfModerator(false),
    aboutCollectionOfModerator: async (tools) => ({
      ...(await aboutAccount('moderator')(tools)),
      ...(await by('party')(tools)),
      collection_path: 'moderator/x',
    }),
    aboutRatingOfModerator: aboutRating('moderator', 'stranger'),
    aboutRatingOnAddonOfModerator: aboutRating('active', 'moderator'),
    ofModeratorOnModerator: async (tools) => ({
      ...(await aboutAccount('moderator')(tools)),
      ...(await by('moderator')(tools)),
    }),
    aboutParty: async (tools) => ({ ...(await aboutAccount('party')(tools)), reporter_id: tools.idOf('moderator') }),
    unknown: null,
  },
  make: async (columnsOf, tools) => {
    if (columnsOf === null) return { id: unknownId('AbuseReport'), state: 'OPEN' };
    const sent = { message: 'x', addon_guid: 'x@example', state: 'open', ip_address: ADDRESS };
    const columns: Columns = { ...sent, ...(await columnsOf(tools)) };
    return {
      ...{ id: globalId('AbuseReport', await tools.insert('abuse_report', columns)) },
      ...{ state: String(columns.state).toUpperCase() },
    };
  },
  acts: {
    'AbuseReport.isReplyPossible': { isShown: isTrue },
    'AbuseReport.replies': { selection: 'replies { totalCount nodes { text } }' },
    'AbuseReport.history': { selection: 'history { totalCount nodes { stateAfter } }' },
    abuseReports: { selection: '{ nodes { id decidedBy { username } user { url } addon { addon { id } } } }' },
    replyToAbuseReport: { input: ({ id }) => ({ id, text: 'Thank you.' }) },
    decideAbuseReport: { input: ({ id, state }) => ({ id, state }) },
  },
});

interface Target extends Made {
  ref: string;
}

/** Public add-ons of the party would make its page public. */
const made =
  (facts: AddonFacts, key: 'id' | 'slug' | 'guid' = 'id', by: 'party' | 'active' = 'party') =>
  async (tools: Tools) =>
    (await addon({ authors: [await tools.person(by)], ...facts }))[key];
const shown = (key: 'id' | 'slug' | 'guid') => made({}, key, 'active');
const known = (ref: string | number) => async () => ref;

const reporting = (kindOf: 'addon' | 'user'): Record<string, Act<Target>> => {
  const name = kindOf === 'addon' ? 'reportAddon' : 'reportAccount';
  const values = ({ ref }: Target) => ({ [kindOf]: ref, message: 'x' });
  const input = ({ ref }: Target) => ({
    ...(kindOf === 'addon' ? { addon: addonReference(ref) } : { account: accountReference(ref) }),
    message: 'x',
  });
  const report = (selection: string) =>
    `... on ${name[0]?.toUpperCase()}${name.slice(1)}Payload { report { ${selection} } }`;
  const forModerators = ['decided', 'decidedBy', 'note', 'reporterAddress', 'targetState'];
  return {
    [`POST /abuse/report/${kindOf}/`]: { values },
    [name]: { input, selection: report('id') },
    [`${name}, with what moderators see`]: {
      ...{ input, covers: forModerators.map((field) => `AbuseReport.${field}`) },
      selection: report('decided decidedBy { username } note reporterAddress targetState'),
      isShown: (value) => JSON.stringify(value).includes(ADDRESS),
    },
    [`${name}, with what the viewer may see`]: {
      ...{
        input,
        covers: kindOf === 'addon' ? ['ReportedAddon.addon'] : ['AccountSummary.url', 'AbuseReport.account'],
      },
      selection: report(
        kindOf === 'addon' ? 'addon { shown: addon { id } }' : 'user { shown: url } account { shown: url }',
      ),
      isShown: (value) => !JSON.stringify(value).includes('"shown":null'),
    },
  };
};

export const REPORT_TARGET = kind<(tools: Tools) => Promise<string | number>, Target>({
  kind: 'what is reported',
  states: {
    ...{ publicById: shown('id'), publicBySlug: shown('slug'), publicByGuid: shown('guid') },
    disabledByOperator: made(DISABLED),
    disabledByDevelopers: made({ isDisabledByDeveloper: true }),
    waiting: made(WAITING),
    unlisted: made(UNLISTED),
    ...{ deletedByGuid: made(DELETED, 'guid'), deletedById: made(DELETED) },
    ...{ unknownGuid: known('unknown@example'), unknownId: known(UNKNOWN) },
    author: async (tools) => {
      const id = await tools.person('active');
      await addon({ authors: [id] });
      return id;
    },
    withoutAddons: (tools) => tools.person('active'),
    ownByUsername: known('PARTY'),
    disabledAccount: (tools) => tools.person('disabled'),
    deletedAccount: (tools) => tools.person('deleted'),
    unknownAccount: known(UNKNOWN),
  },
  make: async (refOf, tools) => ({ ref: String(await refOf(tools)) }),
  acts: {
    ...reporting('addon'),
    ...reporting('user'),
    'POST /abuse/report/user/, with the address of the page': {
      values: ({ ref }) => ({ user: ref, message: 'x' }),
      isShown: (json) => (json as { user: { url: unknown } }).user.url !== null,
    },
  },
});

interface GroupFacts {
  /** The group of a role, or a new one with these rules and members. */
  of?: Role;
  rules?: string[];
  members?: Parameters<Tools['person']>[0][];
}

interface Group extends Made {
  name: string;
  rules: readonly string[];
  /** An account that is no member, of this group alone: a member has its rules. */
  account: string;
}

export const GROUP = kind<GroupFacts | null, Group>({
  kind: 'a group',
  states: {
    withoutRules: {},
    withMembers: { members: ['stranger', 'party'] },
    withDeletedMember: { members: ['deleted'] },
    withDisabledMember: { members: ['disabled'] },
    ...{ ofStranger: { of: 'stranger' }, ofGroupAdmin: { of: 'groupAdmin' }, ofRegistrar: { of: 'registrar' } },
    ...{ ofMailKeeper: { of: 'mailKeeper' }, ofEveryAdmin: { of: 'everyAdmin' } },
    // With its last member.
    administrators: { of: 'root' },
    everyEdit: { of: 'everyEdit' },
    partlyHeld: { rules: ['Admin:Groups', 'Admin:Mail'] },
    ofUnknownApp: { rules: ['Forum:Edit'] },
    mistaken: { of: 'mistaken' },
    unknown: null,
  },
  make: async (facts, { app, insert, person }, state) => {
    const account = globalId('Account', await person('active'));
    if (facts === null) return { id: unknownId('Group'), name: state, rules: [], account };
    const { of, rules: given = [], members = [] } = facts;
    if (of === undefined) await insert('permission_group', { name: state, rules: given });
    const [row] = await app.sql<{ id: number; name: string; rules: string[] }>(
      'SELECT id, name::text, rules FROM permission_group WHERE name = $1',
      [of ?? state],
    );
    for (const who of members) await insert('group_member', { group_id: row?.id, account_id: await person(who) });
    return { id: globalId('Group', row?.id), name: row?.name ?? '', rules: row?.rules ?? [], account };
  },
  acts: {
    'Group.isGrantable': { isShown: isTrue },
    removeGroupMember: { input: ({ id, account }) => ({ group: id, account }) },
    // To its present name and rules.
    updateGroup: { input: ({ id, name }) => ({ id, name }) },
    'updateGroup, of rules': { input: ({ id, rules }) => ({ id, rules }) },
    addGroupMember: { input: ({ id, account }) => ({ group: id, account }) },
  },
});

const FAILED = { state: 'failed', last_error: '550 No such mailbox.' };
const SENT = { state: 'sent', attempts: 1, sent: new Date() };

interface MailFacts {
  to?: 'party' | 'deleted' | 'disabled';
  columns?: Columns;
}

export const MAIL = kind<MailFacts | null>({
  kind: 'a mail',
  states: {
    waiting: {},
    waitingLater: { columns: { next_attempt: LATER } },
    beingSent: { columns: { attempts: 1, claimed_until: LATER } },
    failing: { columns: { attempts: 3, last_error: '421 Later.', next_attempt: LATER } },
    sent: { columns: SENT },
    sentAgain: { columns: { ...SENT, attempts: 4 } },
    deadLetter: { columns: { ...FAILED, attempts: 10 } },
    refusedForGood: { columns: { ...FAILED, attempts: 1 } },
    suppressed: { columns: { ...FAILED, is_bulk: true, notification: 'announcements', last_error: 'No such mail.' } },
    testMail: { columns: { notification: null } },
    toParty: { to: 'party' },
    // Deletion of the account keeps what was sent alone.
    ofDeletedAccount: { to: 'deleted', columns: SENT },
    ofDisabledAccount: { to: 'disabled', columns: FAILED },
    unknown: null,
  },
  make: async (facts, { insert, person }, cause) => {
    if (facts === null) return { id: unknownId('OutgoingMail') };
    const texts = { address: 'x@example.org', subject: 'x', text: 'x', html: 'x', notification: 'individual_contact' };
    const account_id = facts.to ? await person(facts.to) : null;
    return {
      id: globalId('OutgoingMail', await insert('outgoing_mail', { cause, ...texts, account_id, ...facts.columns })),
    };
  },
});

export const CANNED = kind<object | null>({
  kind: 'a canned response',
  states: {
    inOneLanguage: { 'en-US': 'x' },
    inSeveralLanguages: { 'en-US': 'x', de: 'x', he: 'x' },
    long: { 'en-US': 'x'.repeat(10_000) },
    ...{ deleted: { 'en-US': 'x' }, unknown: null },
  },
  make: async (text, { app, insert }, state) => {
    const id = text === null ? UNKNOWN : await insert('canned_response', { name: `canned ${Math.random()}`, text });
    if (state === 'deleted') await app.sql('DELETE FROM canned_response WHERE id = $1', [id]);
    return { id: globalId('CannedResponse', id) };
  },
  acts: { deleteCannedResponse: { spare: true } },
});
