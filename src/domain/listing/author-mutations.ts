import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import type { AuthorDocument } from '../addons/addon-document.ts';
import { allAuthors } from '../addons/all-authors.ts';
import { AddonAuthor, RoleEnum } from '../addons/author.ts';
import { addAuthor, removeAuthor, reorderAuthors, updateAuthor } from './change-authors.ts';

interface ChangedAuthor {
  addonId: number;
  author: AuthorDocument;
}

const authorPayload = (name: string, description: string) =>
  builder.objectRef<ChangedAuthor>(name).implement({
    description,
    fields: (t) => ({
      addon: t.field({ type: Addon, description: 'The changed add-on.', resolve: ({ addonId }) => addonId }),
      author: t.expose('author', { type: AddonAuthor, description: 'The changed author.' }),
    }),
  });

/** Clears what this request has loaded of the add-on and its authors. */
function forgetAuthors(context: Context, addonId: number): void {
  forgetAddon(context, addonId);
  allAuthors(context).clear(addonId);
}

async function changedAuthor(context: Context, addonId: number, accountId: number): Promise<ChangedAuthor> {
  forgetAuthors(context, addonId);
  const author = (await allAuthors(context).load(addonId)).find(({ id }) => id === accountId);
  if (author === undefined) throw new Error(`account ${accountId} is not an author of add-on ${addonId}`);
  return { addonId, author };
}

const accountIn = (id: string) => idOf('Account', id, 'account');

const AccountRefInput = builder.inputType('AccountRefInput', {
  description: 'Identifies an account.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'Global id of the account.' }),
    username: t.string({ description: 'Username in any case.' }),
  }),
});

const AddAddonAuthorInput = builder.inputType('AddAddonAuthorInput', {
  description: 'The account to add to the authors of an add-on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    account: t.field({ type: AccountRefInput, required: true, description: 'The account that becomes an author.' }),
    role: t.field({ type: RoleEnum, description: 'What the author may do. Default: DEVELOPER.' }),
    listed: t.boolean({ description: 'Whether the add-on page shows the author. Default: true.' }),
    position: t.int({ description: 'Place in the list of authors, from 0. Default: the end.' }),
  }),
});

builder.mutationField('addAddonAuthor', (t) =>
  t.field({
    type: authorPayload('AddAddonAuthorPayload', 'The result of addAddonAuthor.'),
    description: 'Makes an account an author of an add-on. For owners of the add-on and holders of Addons:Edit.',
    args: { input: t.arg({ type: AddAddonAuthorInput, required: true, description: 'The new author.' }) },
    errors: mutationResult('AddAddonAuthorResult'),
    resolve: async (_root, { input: { id, account, role, listed, position } }, context) => {
      const addonId = idOf('Addon', id);
      const accountId = await addAuthor(context.viewer, addonId, {
        account: account.id == null ? { username: account.username ?? '' } : { id: accountIn(account.id) },
        role: role ?? 'developer',
        listed: listed ?? true,
        ...(position == null ? {} : { position }),
      });
      return changedAuthor(context, addonId, accountId);
    },
  }),
);

const UpdateAddonAuthorInput = builder.inputType('UpdateAddonAuthorInput', {
  description: 'Changes to an author of an add-on. Absent fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    account: t.id({ required: true, description: 'Global id of the account of the author.' }),
    role: t.field({ type: RoleEnum, description: 'What the author may do.' }),
    listed: t.boolean({ description: 'Whether the add-on page shows the author.' }),
    position: t.int({ description: 'Place in the list of authors, from 0.' }),
  }),
});

builder.mutationField('updateAddonAuthor', (t) =>
  t.field({
    type: authorPayload('UpdateAddonAuthorPayload', 'The result of updateAddonAuthor.'),
    description: 'Changes an author of an add-on. For owners of the add-on and holders of Addons:Edit.',
    args: { input: t.arg({ type: UpdateAddonAuthorInput, required: true, description: 'The author and changes.' }) },
    errors: mutationResult('UpdateAddonAuthorResult'),
    resolve: async (_root, { input: { id, account, role, listed, position } }, context) => {
      const addonId = idOf('Addon', id);
      const accountId = accountIn(account);
      await updateAuthor(context.viewer, addonId, accountId, {
        ...(role == null ? {} : { role }),
        ...(listed == null ? {} : { listed }),
        ...(position == null ? {} : { position }),
      });
      return changedAuthor(context, addonId, accountId);
    },
  }),
);

const RemoveAddonAuthorInput = builder.inputType('RemoveAddonAuthorInput', {
  description: 'The author to remove from an add-on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    account: t.id({ required: true, description: 'Global id of the account of the author.' }),
  }),
});

interface RemovedAuthor {
  addonId: number;
  accountId: number;
}

const RemoveAddonAuthorPayload = builder.objectRef<RemovedAuthor>('RemoveAddonAuthorPayload').implement({
  description: 'The result of removeAddonAuthor.',
  fields: (t) => ({
    removedId: t.id({
      description: 'Id of the removed AddonAuthor.',
      resolve: ({ addonId, accountId }) => globalId('AddonAuthor', addonId, accountId),
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The changed add-on; null when it is not public and the viewer has left it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
  }),
});

builder.mutationField('removeAddonAuthor', (t) =>
  t.field({
    type: RemoveAddonAuthorPayload,
    description: 'Removes an author from an add-on. For its owners and Addons:Edit; authors may remove themselves.',
    args: { input: t.arg({ type: RemoveAddonAuthorInput, required: true, description: 'The author.' }) },
    errors: mutationResult('RemoveAddonAuthorResult'),
    resolve: async (_root, { input: { id, account } }, context) => {
      const [addonId, accountId] = [idOf('Addon', id), accountIn(account)];
      await removeAuthor(context.viewer, addonId, accountId);
      forgetAuthors(context, addonId);
      return { addonId, accountId };
    },
  }),
);

const ReorderAddonAuthorsInput = builder.inputType('ReorderAddonAuthorsInput', {
  description: 'The new order of the authors of an add-on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    accounts: t.idList({
      required: true,
      description: 'Global ids of the accounts of all authors, each once, in the new order.',
    }),
  }),
});

const ReorderAddonAuthorsPayload = builder.objectRef<{ addonId: number }>('ReorderAddonAuthorsPayload').implement({
  description: 'The result of reorderAddonAuthors.',
  fields: (t) => ({
    addon: t.field({ type: Addon, description: 'The changed add-on.', resolve: ({ addonId }) => addonId }),
  }),
});

builder.mutationField('reorderAddonAuthors', (t) =>
  t.field({
    type: ReorderAddonAuthorsPayload,
    description: 'Changes the order of the authors of an add-on. For its owners and holders of Addons:Edit.',
    args: { input: t.arg({ type: ReorderAddonAuthorsInput, required: true, description: 'The new order.' }) },
    errors: mutationResult('ReorderAddonAuthorsResult'),
    resolve: async (_root, { input: { id, accounts } }, context) => {
      const addonId = idOf('Addon', id);
      const order = accounts.map((account) => idOf('Account', account, 'accounts'));
      await reorderAuthors(context.viewer, addonId, order);
      forgetAuthors(context, addonId);
      return { addonId };
    },
  }),
);
