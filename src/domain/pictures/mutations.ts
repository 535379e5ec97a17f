import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import { addPreview, deletePreview, updatePreview } from './edit-previews.ts';
import { addonPayload, guarded } from './mutation-parts.ts';
import { removeAccountPicture, setAccountPicture } from './set-account-picture.ts';
import { removeAddonIcon, setAddonIcon } from './set-icon.ts';

const FILE = 'A PNG or JPEG of at most 4 MB; what is kept of it is a PNG without anything but its pixels.';

const SetAddonIconInput = builder.inputType('SetAddonIconInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    file: t.field({ type: 'UploadedFile', description: `${FILE} Without one, the add-on has no icon of its own.` }),
  }),
});

builder.mutationField('setAddonIcon', (t) =>
  t.field({
    type: addonPayload('SetAddonIconPayload'),
    description: 'Gives an add-on an icon, or takes it away; for its developers.',
    args: { input: t.arg({ type: SetAddonIconInput, required: true }) },
    errors: mutationResult('SetAddonIconResult'),
    resolve: async (_root, { input: { id, file } }, context) => {
      const addonId = idOf('Addon', id);
      if (file == null) await removeAddonIcon(context.viewer, addonId);
      else await setAddonIcon(context.viewer, addonId, guarded(file));
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const caption = 'Merged: a null value deletes one language, unnamed ones stay.';
const position = 'Where it stands among the previews of its add-on, from 0.';

const AddPreviewInput = builder.inputType('AddPreviewInput', {
  fields: (t) => ({
    addon: t.id({ required: true, description: 'Id of the add-on.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: FILE }),
    caption: t.field({ type: [TranslationInput] }),
    position: t.int({ description: `${position} The last one when absent.` }),
  }),
});

const AddPreviewPayload = builder.objectRef<{ addonId: number; previewId: number }>('AddPreviewPayload').implement({
  fields: (t) => ({
    addon: t.field({ type: Addon, resolve: ({ addonId }) => addonId }),
    previewId: t.exposeInt('previewId', { description: 'The databaseId of the new preview.' }),
  }),
});

builder.mutationField('addPreview', (t) =>
  t.field({
    type: AddPreviewPayload,
    description: 'Adds a preview to an add-on; for its developers.',
    args: { input: t.arg({ type: AddPreviewInput, required: true }) },
    errors: mutationResult('AddPreviewResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.addon, 'addon');
      const facts = {
        ...(input.caption == null ? {} : { caption: input.caption }),
        ...(input.position == null ? {} : { position: input.position }),
      };
      const previewId = await addPreview(context.viewer, addonId, guarded(input.file), facts);
      forgetAddon(context, addonId);
      return { addonId, previewId };
    },
  }),
);

const UpdatePreviewInput = builder.inputType('UpdatePreviewInput', {
  description: 'What is absent stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The databaseId of the preview.' }),
    caption: t.field({ type: [TranslationInput], description: caption }),
    position: t.int({ description: position }),
  }),
});

builder.mutationField('updatePreview', (t) =>
  t.field({
    type: addonPayload('UpdatePreviewPayload'),
    description: 'Changes the caption of a preview and where it stands; for the developers of its add-on.',
    args: { input: t.arg({ type: UpdatePreviewInput, required: true }) },
    errors: mutationResult('UpdatePreviewResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = await updatePreview(context.viewer, idOf('Preview', input.id), {
        ...(input.caption == null ? {} : { caption: input.caption }),
        ...(input.position == null ? {} : { position: input.position }),
      });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const DeletePreviewInput = builder.inputType('DeletePreviewInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The databaseId of the preview.' }) }),
});

builder.mutationField('deletePreview', (t) =>
  t.field({
    type: addonPayload('DeletePreviewPayload'),
    description: 'Deletes a preview; for the developers of its add-on.',
    args: { input: t.arg({ type: DeletePreviewInput, required: true }) },
    errors: mutationResult('DeletePreviewResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = await deletePreview(context.viewer, idOf('Preview', input.id));
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const SetAccountPictureInput = builder.inputType('SetAccountPictureInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the account.' }),
    file: t.field({ type: 'UploadedFile', description: `${FILE} Without one, the account has no picture.` }),
  }),
});

const SetAccountPicturePayload = builder.objectRef<{ id: number }>('SetAccountPicturePayload').implement({
  fields: (t) => ({
    account: t.prismaField({
      type: Account,
      resolve: (query, { id }) => db.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('setAccountPicture', (t) =>
  t.field({
    type: SetAccountPicturePayload,
    description: 'Gives an account a picture, or takes it away; for itself and holders of Users:Edit.',
    args: { input: t.arg({ type: SetAccountPictureInput, required: true }) },
    errors: mutationResult('SetAccountPictureResult'),
    resolve: async (_root, { input: { id, file } }, { viewer }) => {
      const accountId = idOf('Account', id);
      if (file == null) await removeAccountPicture(viewer, accountId);
      else await setAccountPicture(viewer, accountId, guarded(file));
      return { id: accountId };
    },
  }),
);
