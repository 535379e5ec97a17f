import { canEditAddon } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { AccountPrivate } from '../accounts/account.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { addonRights, NO_ADDON } from '../addons/find-addon.ts';
import { type AddressRow, addressesById, addressesOfAddons, unusedAddresses } from './address-rows.ts';
import { canManageAddress, createUpdateAddress, endUpdateAddress } from './manage-addresses.ts';

/** Addresses in the order of the ids, with an error for each one that the viewer may not see. */
async function loadAddresses(ids: readonly number[], context: Context): Promise<(AddressRow | Error)[]> {
  const byId = new Map((await addressesById(ids)).map((row) => [row.id, row]));
  return Promise.all(
    ids.map(async (id) => {
      const row = byId.get(id);
      // For unknown addresses too: the time does not reveal which exist.
      const [addon] = await addonRights(context).loadMany([row?.addonId ?? NO_ADDON]);
      if (row === undefined) return new NotFoundError();
      if (addon instanceof Error && row.addonId !== null) return addon;
      const authors = addon === undefined || addon instanceof Error ? null : addon.authors;
      return canManageAddress(context.viewer, row, authors) ? row : new NotFoundError();
    }),
  );
}

const UpdateAddress = loadableNode<AddressRow>('UpdateAddress', loadAddresses);

builder.objectType(UpdateAddress, {
  description:
    'An address at which installed copies of an unlisted add-on look for updates. Its URL contains a key and is shown once, on creation. Visible to the authors of the add-on, or before it exists to the account that made the address, and to holders of Addons:Edit.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    guid: t.exposeString('guid', { description: 'The guid of the add-on.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was made.' }),
    createdBy: t.field({
      type: AccountSummary,
      description: 'The account that made it.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    ended: t.expose('ended', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended; null while it works.',
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null if the account that made the address has not created it.',
      resolve: ({ addonId }) => addonId,
    }),
  }),
});

const ofAddons = perRequest<number, AddressRow[]>(async (ids) => {
  const rows = await addressesOfAddons(ids);
  return ids.map((id) => rows.filter(({ addonId }) => addonId === id));
});

const unusedOf = perRequest<number, AddressRow[]>(async (ids) => {
  const rows = await unusedAddresses(ids);
  return ids.map((id) => rows.filter(({ accountId }) => accountId === id));
});

builder.objectField(Addon, 'updateAddresses', (t) =>
  t.field({
    type: [UpdateAddress],
    nullable: true,
    description:
      'The working update addresses, newest first. Null unless the viewer is an author or holds Addons:Edit.',
    resolve: async ({ id }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const { authors } = await addonRights(context).load(id);
      return canEditAddon(context.viewer, authors) ? ofAddons(context).load(id) : null;
    },
  }),
);

builder.objectField(AccountPrivate, 'updateAddresses', (t) =>
  t.field({
    type: [UpdateAddress],
    description: 'The working update addresses of the account that are for no add-on yet, newest first.',
    resolve: ({ id }, _args, context) => unusedOf(context).load(id),
  }),
);

mutation('createUpdateAddress', {
  description:
    'Makes an address for `update_url` in the manifest of an unlisted add-on, at which its installed copies look for updates. For the authors of the add-on. For a guid that does not exist, any signed-in viewer may make one; it works once the viewer has created the add-on.',
  input: 'A new update address.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of the add-on, spelled exactly as in its manifest.' }),
  }),
  resolve: async ({ guid }, context) => {
    const created = await createUpdateAddress(context.viewer, guid);
    return created;
  },
  payloadFields: (t) => ({
    url: t.exposeString('url', { description: 'The address. It cannot be shown again.' }),
    updateAddress: t.field({ type: UpdateAddress, description: 'What is stored of it.', resolve: ({ id }) => id }),
  }),
});

mutation('endUpdateAddress', {
  description:
    'Ends an update address for good. For the authors of its add-on, or before it exists for the account that made the address, and for holders of Addons:Edit.',
  input: 'The update address to end.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the update address.' }) }),
  resolve: async ({ id }, context) => {
    const addressId = idOf('UpdateAddress', id);
    await endUpdateAddress(context.viewer, addressId);
    return { id: addressId };
  },
  payloadFields: (t) => ({
    updateAddress: t.field({ type: UpdateAddress, description: 'The ended address.', resolve: ({ id }) => id }),
  }),
});
