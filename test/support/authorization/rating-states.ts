/* Ratings and replies, by who wrote them, on whose add-on, and whether they are deleted, flagged, on hold or on an add-on that is not public. */
import type { TestApp } from '../app.ts';
import { addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import {
  fieldRow,
  hasId,
  listRow,
  mutationOf,
  mutationRow,
  nodeRow,
  refused,
  type StateRule,
  type StateTable,
} from './state-table.ts';

interface RatingFacts {
  /** Who wrote it; null for an account without a role. */
  writer: PersonRole | null;
  /** The author of the add-on with a role. */
  author: PersonRole | null;
  isReply: boolean;
  isDeleted: boolean;
  isOnHold: boolean;
  isFlagged: boolean;
  /** Whether the operator has disabled the add-on. */
  isHidden: boolean;
  exists: boolean;
}

const facts = (some: Partial<RatingFacts> = {}): RatingFacts => ({
  ...{ writer: null, author: null, isReply: false, isDeleted: false, isOnHold: false },
  ...{ isFlagged: false, isHidden: false, exists: true },
  ...some,
});

const STATES = {
  ofOthers: facts(),
  ofParty: facts({ writer: 'party' }),
  ofEditor: facts({ writer: 'editor' }),
  onAddonOfParty: facts({ author: 'party' }),
  onAddonOfEditor: facts({ author: 'editor' }),
  onAddonOfModerator: facts({ author: 'moderator' }),
  replyOfParty: facts({ writer: 'party', author: 'party', isReply: true }),
  replyOfOthers: facts({ isReply: true }),
  flagged: facts({ writer: 'party', isFlagged: true }),
  onHold: facts({ writer: 'party', isOnHold: true }),
  onHoldOnAddonOfParty: facts({ author: 'party', isOnHold: true }),
  replyToHeld: facts({ isReply: true, isOnHold: true }),
  deleted: facts({ writer: 'party', isDeleted: true }),
  deletedOnHold: facts({ writer: 'party', isDeleted: true, isOnHold: true }),
  replyToDeleted: facts({ writer: 'party', author: 'party', isReply: true, isDeleted: true }),
  onDisabledAddon: facts({ writer: 'party', isHidden: true }),
  onDisabledAddonOfParty: facts({ author: 'party', isHidden: true }),
  unknown: facts({ exists: false }),
} as const satisfies Record<string, RatingFacts>;

type Rule = StateRule<RatingFacts, PersonRole>;

const edits = (role: PersonRole) => holds(role, 'Addons:Edit');
const moderates = (role: PersonRole) => edits(role) || holds(role, 'AbuseReports:Edit');
const isParty = (role: PersonRole, person: PersonRole | null) => role !== 'anonymous' && role === person;

/** Reviewers of its type see an add-on that is not public, too. */
const seesAddon = ({ isHidden, author }: RatingFacts, role: PersonRole) =>
  !isHidden || isParty(role, author) || edits(role) || role === 'reviewer';

/** The refusal of a viewer who may not read it; 200 for others. */
const read: Rule = (rating, role) => {
  const { exists, writer, isDeleted, isOnHold } = rating;
  if (!exists) return 404;
  if (!seesAddon(rating, role)) return refused(role);
  if (isDeleted) return edits(role) ? 200 : 404;
  return !isOnHold || isParty(role, writer) || moderates(role) ? 200 : 404;
};

/** Anonymous viewers report what they see, and learn nothing about the rest. */
const report: Rule = (rating, role) => (read(rating, role) === 200 ? 200 : 404);

/** A change after the sign-in, by those who read it. */
const change =
  (isAllowed: (rating: RatingFacts, role: PersonRole) => boolean): Rule =>
  (rating, role) => {
    if (role === 'anonymous') return 401;
    const outcome = read(rating, role);
    return outcome === 200 && !isAllowed(rating, role) ? 403 : outcome;
  };

const mayEdit = ({ writer, author, isDeleted }: RatingFacts, role: PersonRole) =>
  !isDeleted && (isParty(role, writer) || (edits(role) && !isParty(role, author)));
const mayReply = ({ author }: RatingFacts, role: PersonRole) => edits(role) || isParty(role, author);
const mayFlag = ({ writer }: RatingFacts, role: PersonRole) => !isParty(role, writer);
const mayDecide = ({ writer, author }: RatingFacts, role: PersonRole) =>
  moderates(role) && !isParty(role, writer) && !isParty(role, author);

interface Made {
  id: string;
  key: number;
  addonId: number;
}

const made = (key: number, addonId: number): Made => ({ id: globalId('Rating', key), key, addonId });

const COLUMNS = 'addon_id, account_id, score, body, deleted_at, held_at, hold_reason, open_flags, is_latest';

/** Another rating like one, without its version, of which an account has one rating. */
async function copy(app: TestApp, { key, addonId }: Made): Promise<Made> {
  const [row] = await app.sql<{ id: number }>(
    `INSERT INTO rating (${COLUMNS}) SELECT ${COLUMNS.replace('is_latest', 'false')} FROM rating WHERE id = $1 RETURNING id`,
    [key],
  );
  return made(row?.id ?? 0, addonId);
}

async function makeRating(app: TestApp, ids: Record<PersonRole, number>, state: RatingFacts): Promise<Made> {
  const { writer, author, isReply, isDeleted, isOnHold, isHidden, isFlagged, exists } = state;
  const [stranger] = await app.sql<{ id: number }>(
    "INSERT INTO account (username) VALUES ('rates-' || gen_random_uuid()) RETURNING id",
  );
  const other = stranger?.id ?? 0;
  const { id: addonId } = await addon({
    authors: author === null ? [] : [ids[author]],
    status: isHidden ? 'disabled' : 'public',
  });
  const add = async (
    accountId: number,
    score: number | null,
    replyTo: number | null,
    held: boolean,
    latest: boolean,
  ) => {
    const [row] = await app.sql<{ id: number }>(
      `INSERT INTO rating (addon_id, account_id, score, reply_to, body, deleted_at, held_at, hold_reason, open_flags, is_latest)
       VALUES ($1, $2, $3, $4, 'x', CASE WHEN $5 THEN now() END, CASE WHEN $6 THEN now() END, CASE WHEN $6 THEN 'text' END, $7, $8)
       RETURNING id`,
      [addonId, accountId, score, replyTo, isDeleted, held, Number(isFlagged), latest],
    );
    return row?.id ?? 0;
  };
  const isLatest = !isDeleted && !isOnHold;
  const accountId = writer === null ? other : ids[writer];
  const key = isReply
    ? await add(accountId, null, await add(other, 3, null, isOnHold, isLatest), false, false)
    : await add(accountId, 3, null, isOnHold, isLatest);
  if (!exists) await app.sql('DELETE FROM rating WHERE id = $1', [key]);
  return made(key, addonId);
}

async function makeRatings(app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, Made>> {
  const ratings: Record<string, Made> = {};
  for (const [name, state] of Object.entries(STATES)) {
    ratings[name] = await makeRating(app, ids, state);
  }
  return ratings;
}

const spare = (app: TestApp, _facts: RatingFacts, rating: Made) => copy(app, rating);
const isRating = ({ isReply }: RatingFacts) => !isReply;
const isOpenRating = ({ isReply, isDeleted }: RatingFacts) => !isReply && !isDeleted;

const REST = '/ratings/rating/:id/';
const NO_VALUES = { values: new Map(), isForm: false, file: null };

const inbox: Rule = ({ exists, isOnHold, isFlagged, isDeleted, isReply }, role) => {
  if (!moderates(role)) return refused(role);
  return exists && (isOnHold || isFlagged) && !isDeleted && !isReply ? 200 : 404;
};

/** Parts of a node are null for viewers who do not get them. */
const shown =
  (isShown: (rating: RatingFacts, role: PersonRole) => boolean): Rule =>
  (rating, role) =>
    read(rating, role) === 200 && isShown(rating, role) ? 200 : 404;

/** A list of an add-on has what every reader of it sees. */
const listed: Rule = (rating, role) => {
  if (!seesAddon(rating, role)) return refused(role);
  return rating.exists && !rating.isDeleted && !rating.isOnHold ? 200 : 404;
};

const forModerators = shown((_rating, role) => moderates(role));

const heldReason = shown(({ isOnHold }, role) => isOnHold && moderates(role));

const RIGHTS: Readonly<Record<string, (rating: RatingFacts, role: PersonRole) => boolean>> = {
  EDIT: mayEdit,
  DELETE: mayEdit,
  REPLY: (rating, role) => !rating.isReply && !rating.isDeleted && !rating.isOnHold && mayReply(rating, role),
  FLAG: (rating, role) => role !== 'anonymous' && mayFlag(rating, role),
  DECIDE: mayDecide,
};

export const RATING_TABLE: StateTable<RatingFacts, PersonRole, Made> = {
  ...{ kind: 'a rating', roles: PEOPLE_RULES, states: STATES, make: makeRatings },
  params: ({ key }) => ({ id: key, rating: key }),
  actions: [
    // Before the actions that flag further ratings.
    listRow('ratingsToModerate', inbox, '{ nodes { id } }', { first: 50 }),
    { name: `GET ${REST}`, rule: read, rest: {} },
    { name: '/ratings/:rating/', rule: shown(() => true), page: true },
    { name: '/ratings/:rating/report/', rule: shown(() => true), page: true },
    { name: `PATCH ${REST}`, rule: change(mayEdit), rest: { body: () => NO_VALUES } },
    {
      ...{ name: `POST ${REST}reply/`, rule: change(mayReply), states: isOpenRating },
      rest: { body: () => ({ ...NO_VALUES, values: new Map([['body', 'Thanks.']]) }) },
    },
    {
      ...{ name: `POST ${REST}flag/`, rule: change(mayFlag), states: isRating, spare },
      rest: { body: () => ({ ...NO_VALUES, values: new Map([['flag', 'review_flag_reason_spam']]) }) },
    },
    {
      ...{ name: 'POST /abuse/report/rating/', rule: report },
      rest: {
        body: ({ key }) => ({
          ...NO_VALUES,
          values: new Map([
            ['rating', String(key)],
            ['message', 'x'],
          ]),
        }),
      },
    },
    {
      ...{ name: 'reportRating', rule: report },
      graphql: mutationOf('reportRating', ({ id }) => ({ id, message: 'x' })),
    },
    nodeRow(
      'Rating',
      shown(() => true),
    ),
    {
      ...{ name: 'rating', rule: read, sameAs: [`GET ${REST}`] },
      graphql: { field: 'rating', args: ({ id }) => ({ id }), selection: '{ id }' },
    },
    {
      ...{ name: 'ratings', rule: listed, states: isRating },
      graphql: {
        field: 'ratings',
        args: ({ addonId }) => ({ addon: { databaseId: addonId }, filter: { includeDeleted: false } }),
        selection: '{ nodes { id } }',
        isShown: hasId,
      },
    },
    fieldRow('Rating.flags', forModerators, ({ id }) => id, 'flags { totalCount }'),
    fieldRow('Rating.flagCounts', forModerators, ({ id }) => id, 'flagCounts { count }'),
    fieldRow('Rating.openFlagCount', forModerators, ({ id }) => id, 'openFlagCount'),
    fieldRow('Rating.holdReason', heldReason, ({ id }) => id, 'holdReason', { states: ({ isReply }) => !isReply }),
    ...Object.entries(RIGHTS).map(([right, who]) =>
      fieldRow<RatingFacts, PersonRole, Made>(
        `Rating.viewerRights, ${right}`,
        shown(who),
        ({ id }) => id,
        'viewerRights',
        { isShown: (value) => JSON.stringify(value).includes(`"${right}"`) },
      ),
    ),
    mutationRow('updateRating', change(mayEdit), undefined, { sameAs: [`PATCH ${REST}`] }),
    mutationRow('replyToRating', change(mayReply), ({ id }) => ({ id, body: 'Thank you.' }), {
      states: isOpenRating,
    }),
    mutationRow('flagRating', change(mayFlag), ({ id }) => ({ id, reason: 'SPAM' }), {
      spare,
      states: isRating,
    }),
    mutationRow('decideRating', change(mayDecide), ({ id }) => ({ id, decision: 'HIDE' }), {
      spare,
      states: isOpenRating,
    }),
    mutationRow('deleteRating', change(mayEdit), undefined, { spare, states: isRating }),
    { name: `DELETE ${REST}`, rule: change(mayEdit), states: isRating, spare, rest: {} },
  ],
};
