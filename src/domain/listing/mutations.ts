import { enumOf } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { addonChangesIn, addonInputFields } from './addon-input.ts';
import { deleteAddon, reviveAddon } from './delete-addon.ts';
import { setAddonDisabled } from './disable-addon.ts';
import { EXPECTED, ExpectedAddonInput, expectedListingIn } from './expected-listing.ts';
import { licenseChangeIn, licenseInputFields } from './license-input.ts';
import { updateAddon } from './update-addon.ts';

mutation('updateAddon', {
  description: 'Changes the listing of an add-on. For its developers and holders of Addons:Edit.',
  input:
    'Changes to the listing of an add-on. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    ...addonInputFields(t),
    ...licenseInputFields(t),
    expected: t.field({ type: ExpectedAddonInput, description: EXPECTED }),
  }),
  resolve: async ({ id, expected, ...input }, context) => {
    const addonId = idOf('Addon', id);
    const changes = { ...addonChangesIn(input), ...licenseChangeIn(input) };
    await updateAddon(context.viewer, addonId, changes, expectedListingIn(expected));
    return { addonId };
  },
  payloadFields: changedAddon,
});

const REASON = 'Recorded in the activity of the add-on.';

mutation('deleteAddon', {
  description: 'Deletes an add-on and its versions. For its owners and holders of Addons:Edit.',
  input: 'The add-on to delete.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async (input, { viewer }) => {
    const id = idOf('Addon', input.id);
    await deleteAddon(viewer, id, input.reason ?? '');
    return db.addon.findUniqueOrThrow({ where: { id }, select: { id: true, guid: true } });
  },
  payloadFields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted add-on.',
      resolve: ({ id }) => globalId('Addon', id),
    }),
    guid: t.exposeString('guid', { description: 'Guid of the deleted add-on, which no other add-on can take.' }),
  }),
});

mutation('reviveAddon', {
  description: 'Restores a deleted add-on and the versions deleted with it. For holders of Addons:Edit.',
  input: 'The add-on to restore.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async ({ id, reason }, context) => {
    const addonId = idOf('Addon', id);
    await reviveAddon(context.viewer, addonId, reason ?? '');
    return { addonId };
  },
  payloadFields: changedAddon,
});

const DisabledByEnum = enumOf('DisabledBy', 'On whose behalf an add-on is disabled or enabled.', {
  developer: 'Its developers.',
  operator: 'The operator; needs Addons:Edit.',
});

mutation('setAddonDisabled', {
  description: 'Disables or enables an add-on. For its developers, or for the operator.',
  input: 'The add-on to disable or enable. Developers and operator disable independently of each other.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    by: t.field({ type: DisabledByEnum, required: true, description: 'On whose behalf.' }),
    isDisabled: t.boolean({ required: true, description: 'Whether it is disabled from now on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async ({ id, by, isDisabled, reason }, context) => {
    const addonId = idOf('Addon', id);
    await setAddonDisabled(context.viewer, addonId, { by, disabled: isDisabled, reason: reason ?? '' });
    return { addonId };
  },
  payloadFields: changedAddon,
});
