import { InvalidInputError, NotFoundError, NotPermittedError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import { allAuthors } from '../addons/all-authors.ts';
import { RoleEnum } from '../addons/author.ts';
import { type AccountRef, addAuthor, removeAuthor, reorderAuthors, updateAuthor } from './change-authors.ts';

const refusals = (name: string) => ({
  types: [InvalidInputError, NotFoundError, NotPermittedError],
  union: { name },
});

const payload = (name: string) =>
  builder.objectRef<{ addonId: number }>(name).implement({
    fields: (t) => ({ addon: t.field({ type: Addon, resolve: ({ addonId }) => addonId }) }),
  });

/** The payload after a change; what was read of the add-on before is forgotten. */
function changed(context: Context, addonId: number): { addonId: number } {
  forgetAddon(context, addonId);
  allAuthors(context).clear(addonId);
  return { addonId };
}

const accountId = (id: string | number) => idOf('Account', id, 'account');

function accountOf(account: string | number | null | undefined, username: string | null | undefined): AccountRef {
  if (account != null && username == null) return { id: accountId(account) };
  if (account == null && username != null) return { username };
  throw refusedField('account', 'Name the account either by its id or by its username.');
}

const AddAddonAuthorInput = builder.inputType('AddAddonAuthorInput', {
  description: 'The account is named by id or by username.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    account: t.id(),
    username: t.string(),
    role: t.field({ type: RoleEnum, description: 'Default: DEVELOPER.' }),
    listed: t.boolean({ description: 'Whether the add-on shows the author. Default: true.' }),
    position: t.int({ description: 'From 0. Default: the end.' }),
  }),
});

builder.mutationField('addAddonAuthor', (t) =>
  t.field({
    type: payload('AddAddonAuthorPayload'),
    description: 'Makes an account an author of an add-on; for its owners.',
    args: { input: t.arg({ type: AddAddonAuthorInput, required: true }) },
    errors: refusals('AddAddonAuthorResult'),
    resolve: async (_root, { input: { id, account, username, role, listed, position } }, context) => {
      const addonId = idOf('Addon', id);
      await addAuthor(context.viewer, addonId, {
        account: accountOf(account, username),
        role: role ?? 'developer',
        listed: listed ?? true,
        ...(position == null ? {} : { position }),
      });
      return changed(context, addonId);
    },
  }),
);

const UpdateAddonAuthorInput = builder.inputType('UpdateAddonAuthorInput', {
  description: 'What is absent stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    account: t.id({ required: true }),
    role: t.field({ type: RoleEnum }),
    listed: t.boolean(),
    position: t.int({ description: 'From 0.' }),
  }),
});

builder.mutationField('updateAddonAuthor', (t) =>
  t.field({
    type: payload('UpdateAddonAuthorPayload'),
    description: 'Changes role, visibility or position of an author; for owners.',
    args: { input: t.arg({ type: UpdateAddonAuthorInput, required: true }) },
    errors: refusals('UpdateAddonAuthorResult'),
    resolve: async (_root, { input: { id, account, role, listed, position } }, context) => {
      const addonId = idOf('Addon', id);
      await updateAuthor(context.viewer, addonId, accountId(account), {
        ...(role == null ? {} : { role }),
        ...(listed == null ? {} : { listed }),
        ...(position == null ? {} : { position }),
      });
      return changed(context, addonId);
    },
  }),
);

const RemoveAddonAuthorInput = builder.inputType('RemoveAddonAuthorInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    account: t.id({ required: true }),
  }),
});

const RemoveAddonAuthorPayload = builder.objectRef<{ addonId: number }>('RemoveAddonAuthorPayload').implement({
  fields: (t) => ({
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'Null for who has left an add-on that is not public, and can no longer see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
  }),
});

builder.mutationField('removeAddonAuthor', (t) =>
  t.field({
    type: RemoveAddonAuthorPayload,
    description: 'Ends an authorship; for owners, and for every author his own.',
    args: { input: t.arg({ type: RemoveAddonAuthorInput, required: true }) },
    errors: refusals('RemoveAddonAuthorResult'),
    resolve: async (_root, { input: { id, account } }, context) => {
      const addonId = idOf('Addon', id);
      await removeAuthor(context.viewer, addonId, accountId(account));
      return changed(context, addonId);
    },
  }),
);

const ReorderAddonAuthorsInput = builder.inputType('ReorderAddonAuthorsInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    accounts: t.idList({ required: true, description: 'All authors, each once, in their new order.' }),
  }),
});

builder.mutationField('reorderAddonAuthors', (t) =>
  t.field({
    type: payload('ReorderAddonAuthorsPayload'),
    description: 'Puts the authors of an add-on into another order; for owners.',
    args: { input: t.arg({ type: ReorderAddonAuthorsInput, required: true }) },
    errors: refusals('ReorderAddonAuthorsResult'),
    resolve: async (_root, { input: { id, accounts } }, context) => {
      const addonId = idOf('Addon', id);
      const order = accounts.map((account) => idOf('Account', account, 'accounts'));
      await reorderAuthors(context.viewer, addonId, order);
      return changed(context, addonId);
    },
  }),
);
