import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { forgetAddon } from '../addons/addon.ts';
import { addonPayload, guarded } from './mutation-parts.ts';
import { removeAccountPicture, setAccountPicture } from './set-account-picture.ts';
import { removeAddonIcon, setAddonIcon } from './set-icon.ts';

const FILE = 'A PNG or JPEG of at most 4 MiB; null or absent removes the picture.';

const SetAddonIconInput = builder.inputType('SetAddonIconInput', {
  description: 'The icon of an add-on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    file: t.field({ type: 'UploadedFile', description: FILE }),
  }),
});

builder.mutationField('setAddonIcon', (t) =>
  t.field({
    type: addonPayload('setAddonIcon'),
    description: 'Sets or removes the icon of an add-on. For its authors and holders of Addons:Edit.',
    args: { input: t.arg({ type: SetAddonIconInput, required: true, description: 'The icon.' }) },
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

const SetAccountPictureInput = builder.inputType('SetAccountPictureInput', {
  description: 'The picture of an account.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the account.' }),
    file: t.field({ type: 'UploadedFile', description: FILE }),
  }),
});

const SetAccountPicturePayload = builder.objectRef<{ id: number }>('SetAccountPicturePayload').implement({
  description: 'Result of setAccountPicture.',
  fields: (t) => ({
    account: t.prismaField({
      type: Account,
      description: 'The account after the change.',
      resolve: (query, { id }) => db.account.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField('setAccountPicture', (t) =>
  t.field({
    type: SetAccountPicturePayload,
    description: 'Sets or removes the picture of an account. For the account itself and holders of Users:Edit.',
    args: { input: t.arg({ type: SetAccountPictureInput, required: true, description: 'The picture.' }) },
    errors: mutationResult('SetAccountPictureResult'),
    resolve: async (_root, { input: { id, file } }, { viewer }) => {
      const accountId = idOf('Account', id);
      if (file == null) await removeAccountPicture(viewer, accountId);
      else await setAccountPicture(viewer, accountId, guarded(file));
      return { id: accountId };
    },
  }),
);
