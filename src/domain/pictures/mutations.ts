import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { changedAccount } from '../accounts/account.ts';
import { changedAddon } from '../addons/addon.ts';
import { setAccountPicture, setAddonIcon } from './set-picture.ts';

const FILE = 'A PNG or JPEG of at most 4 MiB; null or absent removes the picture.';

mutation('setAddonIcon', {
  description: 'Sets or removes the icon of an add-on. For its authors and holders of Addons:Edit.',
  input: 'The icon of an add-on.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    file: t.field({ type: 'UploadedFile', description: FILE }),
  }),
  resolve: async ({ id, file }, context) => {
    const addonId = idOf('Addon', id);
    await setAddonIcon(context.viewer, addonId, file ? file : null);
    return { addonId };
  },
  payloadFields: changedAddon,
});

mutation('setAccountPicture', {
  description: 'Sets or removes the picture of an account. For the account itself and holders of Users:Edit.',
  input: 'The picture of an account.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the account.' }),
    file: t.field({ type: 'UploadedFile', description: FILE }),
  }),
  resolve: async (input, { viewer }) => {
    const accountId = idOf('Account', input.id);
    await setAccountPicture(viewer, accountId, input.file ? input.file : null);
    return { accountId };
  },
  payloadFields: changedAccount('The account after the change.'),
});
