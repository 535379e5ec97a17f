/* Ratings with their replies, and collections. */
import { addon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import { DELETED, DISABLED, hasId, isTrue, kind, type Made } from '../kinds.ts';
import type { Role } from '../roles.ts';

interface RatingFacts {
  /** Who wrote it, or the reply; an account without a role by default. */
  writer?: Role;
  /** The author of the add-on. */
  author?: Role;
  isReply?: true;
  isDeleted?: true;
  isOnHold?: true;
  isFlagged?: true;
  isOnDisabled?: true;
  isOnDeleted?: true;
  isUnknown?: true;
}

interface Rating extends Made {
  key: number;
  addonId: number;
}

const ratingOf = (key: number, addonId: number): Rating => ({
  ...{ key, addonId, id: globalId('Rating', key), params: { id: key, rating: key } },
});
const rating = ({ key }: Rating) => ({ rating: String(key), message: 'x' });

export const RATING = kind<RatingFacts, Rating>({
  kind: 'a rating',
  states: {
    ofOthers: {},
    ...{ ofParty: { writer: 'party' }, ofEditor: { writer: 'editor' } },
    ...{ onAddonOfParty: { author: 'party' }, onAddonOfEditor: { author: 'editor' } },
    onAddonOfModerator: { author: 'moderator' },
    replyOfParty: { writer: 'party', author: 'party', isReply: true },
    replyOfOthers: { isReply: true },
    flagged: { writer: 'party', isFlagged: true },
    onHold: { writer: 'party', isOnHold: true },
    onHoldOnAddonOfParty: { author: 'party', isOnHold: true },
    replyToHeld: { isReply: true, isOnHold: true },
    deleted: { writer: 'party', isDeleted: true },
    deletedOnHold: { writer: 'party', isDeleted: true, isOnHold: true },
    replyToDeleted: { writer: 'party', author: 'party', isReply: true, isDeleted: true },
    onDisabledAddon: { writer: 'party', isOnDisabled: true },
    onDisabledAddonOfParty: { author: 'party', isOnDisabled: true },
    onDeletedAddon: { writer: 'party', isOnDeleted: true },
    unknown: { isUnknown: true },
  },
  make: async ({ writer, author, isReply, isDeleted, isOnHold, isFlagged, ...is }, { app, insert, idOf, person }) => {
    const other = await person('active');
    const authors = author ? [idOf(author)] : [];
    const { id: addon_id } = await addon({ authors, ...(is.isOnDisabled && DISABLED), ...(is.isOnDeleted && DELETED) });
    const deleted_at = isDeleted ? new Date() : null;
    const flags = { open_flags: Number(isFlagged ?? false), is_latest: !(isDeleted || isOnHold) };
    const held = { held_at: isOnHold ? new Date() : null, hold_reason: isOnHold ? 'text' : null };
    const add = (columns: object) => insert('rating', { addon_id, body: 'x', deleted_at, ...columns });
    const account_id = writer ? idOf(writer) : other;
    const first = await add({ account_id: isReply ? other : account_id, score: 3, ...flags, ...held });
    const key = isReply ? await add({ account_id, reply_to: first }) : first;
    if (is.isUnknown) await app.sql('DELETE FROM rating WHERE id = $1', [key]);
    return ratingOf(key, addon_id);
  },
  // Of one add-on and without its version, of which an account has one rating.
  another: async ({ key, addonId }, { app }) => {
    const columns = 'addon_id, account_id, score, body, deleted_at, held_at, hold_reason, open_flags';
    const copy = `INSERT INTO rating (${columns}) SELECT ${columns} FROM rating WHERE id = $1 RETURNING id`;
    const [row] = await app.sql<{ id: number }>(copy, [key]);
    return ratingOf(row?.id ?? 0, addonId);
  },
  acts: {
    // Before the actions that flag further ratings.
    ratingsToModerate: {},
    'POST /ratings/rating/:id/reply/': { values: () => ({ body: 'Thanks.' }) },
    'POST /ratings/rating/:id/flag/': { values: () => ({ flag: 'review_flag_reason_spam' }), spare: true },
    'POST /abuse/report/rating/': { values: rating },
    reportRating: { input: ({ id }) => ({ id, message: 'x' }) },
    rating: { args: ({ id }) => ({ id }), selection: '{ id }' },
    ratings: {
      args: ({ addonId }) => ({ addon: { databaseId: addonId }, filter: { includeDeleted: false } }),
      ...{ selection: '{ nodes { id } }', isShown: hasId },
    },
    replyToRating: { input: ({ id }) => ({ id, body: 'Thank you.' }) },
    flagRating: { input: ({ id }) => ({ id, reason: 'SPAM' }), spare: true },
    decideRating: { input: ({ id }) => ({ id, decision: 'HIDE' }), spare: true },
    deleteRating: { spare: true },
    'DELETE /ratings/rating/:id/': { spare: true },
  },
});

interface CollectionFacts {
  of: 'party' | 'stranger' | 'operator';
  isPrivate?: true;
  isGone?: true;
}

interface Collection extends Made {
  databaseId: number;
  account: object;
  addon: string;
}

/** The account that has the lists of the operator. */
const OPERATOR = -2;
const by = ({ id }: Collection) => ({ by: { id } });
const withAddon = ({ id, addon: slug }: Collection) => ({ by: { id }, addon: { slug } });
const COLLECTION_PATH = '/accounts/account/:account/collections/:collection/';

export const COLLECTION = kind<CollectionFacts, Collection>({
  kind: 'a collection',
  states: {
    ...{ public: { of: 'party' }, private: { of: 'party', isPrivate: true } },
    ...{ publicOfOther: { of: 'stranger' }, privateOfOther: { of: 'stranger', isPrivate: true } },
    ...{ ofOperator: { of: 'operator' }, privateOfOperator: { of: 'operator', isPrivate: true } },
    ...{ deleted: { of: 'party', isGone: true }, deletedOfOperator: { of: 'operator', isGone: true } },
  },
  make: async ({ of, isPrivate, isGone }, { app, insert, idOf }) => {
    const { slug: listed, guid } = await addon();
    const account_id = of === 'operator' ? OPERATOR : idOf(of);
    const path = `path-${Math.random()}`;
    const slug = `list-${Math.random().toString(36).slice(2, 10)}`;
    const columns = { account_id, path, slug, name: { 'en-US': 'x' }, is_public: !isPrivate };
    const id = await insert('collection', { ...columns, guids: of === 'operator' ? [guid] : [] });
    await app.sql(
      'INSERT INTO collection_item (collection_id, guid, position) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING',
      [id, guid],
    );
    if (isGone) await app.sql('DELETE FROM collection WHERE id = $1', [id]);
    const account = of === 'operator' ? 'operator' : account_id;
    return {
      ...{ id: globalId('Collection', id), databaseId: id, addon: listed },
      account: of === 'operator' ? { username: of } : { databaseId: account_id },
      params: { account, collection: slug, addon: listed },
    };
  },
  acts: {
    collection: { args: by, selection: '{ id }' },
    'Collection.canEdit': { isShown: isTrue },
    accountCollections: {
      args: ({ account }) => ({ account }),
      selection: '{ nodes { id } }',
      isShown: (value, { id }) => JSON.stringify(value).includes(`"${id}"`),
    },
    'POST /abuse/report/collection/': {
      values: ({ databaseId }) => ({ collection: String(databaseId), message: 'x' }),
    },
    reportCollection: { input: ({ id }) => ({ collection: { id }, message: 'x' }) },
    updateCollection: { input: by },
    addCollectionAddon: { input: withAddon },
    updateCollectionAddon: { input: withAddon },
    [`DELETE ${COLLECTION_PATH}addons/:addon/`]: { spare: true },
    removeCollectionAddon: { input: withAddon, spare: true },
    [`DELETE ${COLLECTION_PATH}`]: { spare: true },
    removeCollection: { input: by, spare: true },
  },
});
