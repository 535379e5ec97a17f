import { canSeeAllAuthors } from '../../auth/permissions.ts';
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { isPublicAccount } from '../accounts/public-account.ts';
import { Addon, changedAddon } from '../addons/addon.ts';
import type { AuthorDocument } from '../addons/addon-document.ts';
import { AddonAuthor, RoleEnum } from '../addons/author.ts';
import { addonRights } from '../addons/find-addon.ts';
import { removeAuthor, reorderAuthors, updateAuthor } from './change-authors.ts';

/** An author after a change. */
interface ChangedAuthor {
  addonId: number;
  author: AuthorDocument;
}

/** The payload fields of mutations that change an author. */
export const changedAuthor = (t: ObjectFields<ChangedAuthor>) => ({
  ...changedAddon(t),
  author: t.expose('author', { type: AddonAuthor, description: 'The changed author.' }),
});

/** Reads an author again after a change. */
export async function reloadAuthor(context: Context, addonId: number, accountId: number): Promise<ChangedAuthor> {
  allAuthors(context).clear(addonId);
  const author = (await allAuthors(context).load(addonId)).find(({ id }) => id === accountId);
  if (author === undefined) throw new Error(`account ${accountId} is not an author of add-on ${addonId}`);
  return { addonId, author };
}

const accountIn = (id: string) => idOf('Account', id, 'account');

mutation('updateAddonAuthor', {
  description:
    'Changes an author of an add-on. For owners of the add-on; authors change themselves whether the add-on page shows them.',
  input: 'Changes to an author of an add-on. Absent fields stay unchanged.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    account: t.id({ required: true, description: 'Global id of the account of the author.' }),
    role: t.field({ type: RoleEnum, description: 'What the author may do.' }),
    isListed: t.boolean({
      description: 'Whether the add-on page shows the author. Only authors themselves set it to true.',
    }),
    position: t.int({ description: 'Place in the list of authors, from 0.' }),
  }),
  resolve: async ({ id, account, isListed, ...changes }, context) => {
    const [addonId, accountId] = [idOf('Addon', id), accountIn(account)];
    await updateAuthor(context.viewer, addonId, accountId, givenFields({ ...changes, listed: isListed }));
    return reloadAuthor(context, addonId, accountId);
  },
  payloadFields: changedAuthor,
});

mutation('removeAddonAuthor', {
  description: 'Removes an author from an add-on. For its owners; authors may remove themselves.',
  input: 'The author to remove from an add-on.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    account: t.id({ required: true, description: 'Global id of the account of the author.' }),
  }),
  resolve: async ({ id, account }, context) => {
    const [addonId, accountId] = [idOf('Addon', id), accountIn(account)];
    await removeAuthor(context.viewer, addonId, accountId);
    return { addonId, accountId };
  },
  payloadFields: (t) => ({
    removedId: t.id({
      description: 'Id of the removed AddonAuthor.',
      resolve: ({ addonId, accountId }) => globalId('AddonAuthor', addonId, accountId),
    }),
    addonId: t.globalID({
      description: 'Global id of the changed add-on.',
      resolve: ({ addonId }) => ({ type: 'Addon', id: addonId }),
    }),
  }),
});

mutation('reorderAddonAuthors', {
  description: 'Changes the order of the authors of an add-on. For its owners.',
  input: 'The new order of the authors of an add-on.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    accounts: t.idList({
      required: true,
      description: 'Global ids of the accounts of all authors, each once, in the new order.',
    }),
    expected: t.idList({
      description:
        'The order that the client read. If others have changed it since, nothing is changed: the refusal names accounts with isChanged.',
    }),
  }),
  resolve: async ({ id, accounts, expected }, context) => {
    const addonId = idOf('Addon', id);
    const order = accounts.map((account) => idOf('Account', account, 'accounts'));
    const before = expected?.map((account) => idOf('Account', account, 'expected'));
    await reorderAuthors(context.viewer, addonId, order, before);
    return { addonId };
  },
  payloadFields: changedAddon,
});

const readAuthors = prepared<AuthorDocument>(
  lookupPool,
  'all-authors',
  `SELECT w.addon_id AS "addonId", p.id, p.username, p.display_name AS "displayName",
      p.has_chosen_username AS "hasChosenUsername", CASE WHEN p.disabled_at IS NULL THEN p.picture_sha256 END AS "pictureSha256", w.role, w.position, w.listed,
      ${isPublicAccount('p.id')} AS "isPublic"
    FROM addon_author w JOIN account p ON p.id = w.account_id
    WHERE w.addon_id = ANY($1) ORDER BY w.position, p.id`,
);

/** All authors by add-on id, unlisted ones included: documents contain the listed ones only. */
const allAuthors = perRequest<number, AuthorDocument[]>(async (ids) => {
  const rows = await readAuthors(ids);
  return ids.map((id) => rows.filter(({ addonId }) => addonId === id));
});

builder.objectField(Addon, 'allAuthors', (t) =>
  t.field({
    type: [AddonAuthor],
    nullable: true,
    description:
      'All authors, unlisted ones included, by position. Null unless the viewer is an author or holds Addons:Edit.',
    resolve: async ({ id }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const { authors } = await addonRights(context).load(id);
      return canSeeAllAuthors(context.viewer, authors) ? allAuthors(context).load(id) : null;
    },
  }),
);
